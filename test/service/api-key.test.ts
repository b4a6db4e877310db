import { describe, expect, test } from 'vitest'
import { apiKeyForm, maskApiKey, parseApiKey, readLabel } from '../../src/service/api-key.js'
import { planIds, plans } from '../../src/service/plans.js'

const longLabel = 'Ab-9'.repeat(16)
const signature = '0123456789abcdef'.repeat(2)

describe('parseApiKey', () => {
  test.each(Object.keys(plans))('accepts the plan %s of the table', (plan) => {
    expect(parseApiKey(`sbx_${plan}`)).toEqual({ plan, scenario: undefined, label: '' })
    expect(apiKeyForm).toMatch(new RegExp(`\\b${plan}\\b`))
  })

  test('accepts no other plan than the plans of the table and revoked', () => {
    const others = ['gold', 'toString', `${planIds[0]}${planIds[1]}`, planIds.join('|')]
    for (const plan of others) expect(parseApiKey(`sbx_${plan}`), plan).toBeUndefined()
  })

  test.each([
    ['sbx_enterprise_low-stock', 'enterprise', 'low-stock', ''],
    ['sbx_free_int64-ids_A', 'free', 'int64-ids', 'A'],
    [`sbx_free_default_${longLabel}-${signature}`, 'free', 'default', `${longLabel}-${signature}`],
    [`sbx_pro_default_a.17-${signature}`, 'pro', 'default', `a.17-${signature}`],
    ['sbx_revoked_default_x', 'revoked', 'default', 'x'],
  ])('parses %s as plan %s, scenario %s, label "%s"', (text, plan, scenario, label) => {
    expect(parseApiKey(text)).toEqual({ plan, scenario, label })
  })

  // test/conformance/service/cases/authentication.ts has the other forms.
  test.each([
    '',
    'xsbx_free',
    'sbx_freed',
    'sbx_free ',
    'sbx_free\n',
    'sbx__default',
    'sbx_free_-default',
    'sbx_free_default-',
    'sbx_free__label',
    `sbx_free_default_${longLabel}x-${signature}`,
    `sbx_free_default_${longLabel}-${signature}0`,
    `sbx_free_default_${longLabel}-${signature.toUpperCase()}`,
    'sbx_free_default_a.b',
    'sbx_free_default_a.17',
    `sbx_free_default_a.b-${signature}`,
  ])('returns undefined for "%s"', (text) => {
    expect(parseApiKey(text)).toBeUndefined()
  })

  test('rejects a long string in linear time', () => {
    // The time of this process only: other programs may use the processor meanwhile.
    const before = process.cpuUsage()
    expect(parseApiKey(`sbx_free_${'a-'.repeat(50_000)}!`)).toBeUndefined()
    expect(process.cpuUsage(before).user).toBeLessThan(500_000)
  })
})

describe('readLabel', () => {
  const read = (label: string) => {
    const signer = { sign: () => '', verify: (...parts: string[]) => parts[3] === signature }
    return readLabel(signer, { plan: 'free', scenario: 'default', label })
  }

  test.each([
    [`acme-${signature}`, { label: 'acme' }],
    [`a-b-${signature}`, { label: 'a-b' }],
    [`${longLabel}-${signature}`, { label: longLabel }],
    [`acme.1798761600-${signature}`, { label: 'acme', expiresMs: 1_798_761_600_000 }],
    ['', { label: '' }],
    ['acme', undefined],
    ['acme.1798761600', undefined],
    [signature, undefined],
    [`-${signature}`, undefined],
    [`acme-${signature.slice(1)}`, undefined],
    [`acme-${signature.toUpperCase()}`, undefined],
    [`acme-${signature.replace('0', '1')}`, undefined],
  ])('reads the label of %s without its expiry and its signature', (label, expected) => {
    expect(read(label)).toEqual(expected)
  })
})

test.each([
  ['sbx_free', 'sbx_free…'],
  ['sbx_free_default_5ecret', 'sbx_free_def…'],
  ['sbx_enterprise_default_5ecret', 'sbx_enterpri…'],
  ['sk_live_51H8aJ2eZvKYlo2C', 'sk_live_51H8…'],
  ['shop-key-1', 'shop-…'],
  ['pw', 'p…'],
  ['', '…'],
])('maskApiKey masks %s as %s', (key, shown) => {
  expect(maskApiKey(key)).toBe(shown)
})
