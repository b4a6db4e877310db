import { describe, expect, it } from 'vitest'
import {
  followLink,
  readFragment,
  readStored,
  toFragment,
  toStored,
} from '../../src/console/session/access.js'
import { isSendable } from '../../src/service/validation/options.js'

describe('the link to a world', () => {
  it.each([
    { apiKey: 'sbx_free', environment: 'production' },
    { apiKey: 'sbx_pro_low-stock+flaky_ci-7', environment: 'staging' },
    { apiKey: 'a&b=c#d%e', environment: 'production' },
  ] as const)('contains the key $apiKey and the environment $environment', (access) => {
    expect(readFragment(toFragment(access))).toEqual(access)
  })

  it.each(['', '#getPet', '#key=', '#key=%20', '#key=caf%C3%A9', '#key=a%0Ab'])(
    'is undefined for the fragment %o',
    (fragment) => {
      expect(readFragment(fragment)).toBeUndefined()
    },
  )

  it('selects production if its environment is unknown', () => {
    const expected = { apiKey: 'sbx_free', environment: 'production' }
    expect(readFragment('#key=sbx_free&environment=moon')).toEqual(expected)
  })
})

describe('the stored access', () => {
  const access = { apiKey: 'sbx_free_default_a', environment: 'staging' } as const
  const withToken = { ...access, token: 'a&b=c#d%e' }

  it.each([access, withToken])('is read as it was written: %j', (written) => {
    expect(readStored(toStored(written))).toEqual(written)
  })

  it('has the token, which a link to the world has not', () => {
    expect(readFragment(toFragment(withToken))).toEqual(access)
    expect(readFragment(toStored(withToken))).toEqual(access)
  })

  it('keeps its token when a link selects another world', () => {
    const link = { apiKey: 'sbx_pro', environment: 'production' } as const
    expect(followLink(withToken, link)).toEqual({ ...link, token: withToken.token })
    expect(followLink(access, link)).toEqual(link)
  })
})

describe('isSendable', () => {
  it.each([
    ['sbx_free', true],
    ['', false],
    ['two words', false],
    ['schlüssel', false],
  ])('of %o is %s', (apiKey, expected) => {
    expect(isSendable(apiKey)).toBe(expected)
  })
})
