import { expect, test } from 'vitest'
import { explainKey, splitKey } from '../../src/console/alerts/invalid-key.js'
import { formatMoment } from '../../src/console/parts/time.js'
import { showShortKeys } from '../../src/console/session/failure.js'

const label = '5f0c9a4be1d84c7f9a3e6b2d8c1f7e40d2b6'
const unknown =
  'the API key sbx_free_mis… names the unknown scenario "missing"; known: default, low-stock'
const unsigned =
  'the API key sbx_free_def… has a label, but was not issued by this sandbox; POST /sandbox/keys issues a key'

test.each([
  ['secret', '', 'form', /does not begin with sbx_/],
  ['sbx_', '', 'plan', /has no plan/],
  ['sbx_gold_default', '', 'plan', /“gold” does not exist; the plans are free, pro/],
  ['sbx_revoked', '', 'plan', /revoked/],
  ['sbx_free_Low', '', 'scenario', /“Low” must be in kebab-case/],
  ['sbx_free_', '', 'scenario', /“” must be in kebab-case/],
  [`sbx_free_default_${'x'.repeat(65)}`, '', 'label', /“x{40}…” must have 1 to 64/],
  ['sbx_free_default_', '', 'label', /“” must have/],
  ['sbx_free_missing', unknown, 'scenario', /^it names the unknown scenario "missing"$/],
  [`sbx_free_default_${label}`, unsigned, 'label', /not signed by this sandbox/],
  ['sbx_free', 'another reason', 'form', /^another reason$/],
] as const)('the wrong part of the key %s is found', (apiKey, message, part, reason) => {
  expect(explainKey(apiKey, message)).toMatchObject({
    part,
    reason: expect.stringMatching(reason),
  })
})

test('the known scenarios are details of an unknown one', () => {
  expect(explainKey('sbx_free_missing', unknown).details).toBe('known: default, low-stock')
})

test('a key is split into its parts', () => {
  expect(splitKey('sbx_pro_low-stock_a_b')).toEqual({
    plan: 'pro',
    scenario: 'low-stock',
    label: 'a_b',
  })
  expect(splitKey('sbx_pro')).toEqual({ plan: 'pro' })
  expect(splitKey('pro')).toBeUndefined()
})

test('a time omits the date on the same day in UTC', () => {
  const at = '2026-01-31T23:59:59.999Z'
  expect(formatMoment(at, '2026-01-31T00:00:00Z')).toBe('23:59:59')
  expect(formatMoment(at, '2026-02-01T00:00:00Z')).toBe('2026-01-31 23:59:59')
  expect(formatMoment(at)).toBe('2026-01-31 23:59:59')
})

test('a masked key that hides nothing has no ellipsis', () => {
  expect(showShortKeys('the keys sbx_free…, sbx_pro… and sbx_free_def… of sbx_business…')).toBe(
    'the keys sbx_free, sbx_pro and sbx_free_def… of sbx_business…',
  )
})
