import { describe, expect, it } from 'vitest'
import { readFragment, toFragment } from '../../src/console/session/access.js'

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

  it('does not contain the token', () => {
    const access = { apiKey: 'sbx_free', environment: 'production' } as const
    expect(readFragment(toFragment({ ...access, token: 'secret' }))).toEqual(access)
  })
})
