import { describe, expect, it } from 'vitest'
import { addressOf, isSendable } from '../../src/console/session/access.js'
import { readFragment, toFragment } from '../../src/console/session/access-link.js'
import { operations } from '../../src/operations/operations.js'

describe('a link to a world', () => {
  it.each([
    { apiKey: 'sbx_free', environment: 'production' },
    { apiKey: 'sbx_pro_low-stock+flaky_ci-7', environment: 'staging' },
    { apiKey: 'a&b=c#d%e', environment: 'production' },
  ] as const)('gives back $apiKey in $environment', (access) => {
    expect(readFragment(toFragment(access))).toEqual(access)
  })

  it.each(['', '#getPet', '#key=', '#key=%20', '#key=caf%C3%A9', '#key=a%0Ab'])(
    'is not %o',
    (fragment) => {
      expect(readFragment(fragment)).toBeUndefined()
    },
  )

  it('leads to production when it names no environment that exists', () => {
    const wanted = { apiKey: 'sbx_free', environment: 'production' }
    expect(readFragment('#key=sbx_free&environment=moon')).toEqual(wanted)
  })
})

describe('addressOf', () => {
  it('finds the address of an operation in each environment', () => {
    expect(addressOf(operations.getPet, 'production')).toBe('api')
    expect(addressOf(operations.getPet, 'staging')).toBe('staging')
  })

  it('falls back to the only address of an operation that staging does not have', () => {
    expect(addressOf(operations.sendMessage, 'staging')).toBe('quickstart')
  })
})

describe('isSendable', () => {
  it.each([
    ['sbx_free', true],
    ['', false],
    ['two words', false],
    ['schlüssel', false],
  ])('of %o is %s', (apiKey, wanted) => {
    expect(isSendable(apiKey)).toBe(wanted)
  })
})
