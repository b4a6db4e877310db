import { expect, test } from 'vitest'
import { explainKey } from '../../src/console/alerts/invalid-key.js'
import { showShortKeys } from '../../src/console/session/failure.js'

const label = '5f0c9a4be1d84c7f9a3e6b2d8c1f7e40d2b6'
const unknown =
  'the API key sbx_free_mis… names the unknown scenario "missing"; known: default, low-stock'
const nearest =
  'the API key sbx_free_mis… names the unknown scenario "missing"; did you mean "mission"? known: mission'
const unsigned =
  'the API key sbx_free_def… has a label, but was not issued by this sandbox; POST /sandbox/keys issues a key'

test.each([
  ['secret', '', undefined, /does not begin with sbx_/],
  ['sbx_', '', 'plan', /has no plan/],
  ['sbx_gold_default', '', 'plan', /“gold” does not exist; the plans are free, pro/],
  ['sbx_revoked', '', 'plan', /revoked/],
  ['sbx_free_Low', '', 'scenario', /“Low” must be in kebab-case/],
  ['sbx_free_', '', 'scenario', /“” must be in kebab-case/],
  [`sbx_free_default_${'x'.repeat(65)}`, '', 'label', /“x{40}…” must have 1 to 64/],
  ['sbx_free_default_', '', 'label', /“” must have/],
  ['sbx_free_missing', nearest, 'scenario', /^it names the .* "missing", did you mean "mission"$/],
  ['sbx_free_missing', unknown, 'scenario', /^it names the unknown scenario "missing"$/],
  [`sbx_free_default_${label}`, unsigned, 'label', /not signed by this sandbox/],
  ['sbx_free', 'another reason', undefined, /^another reason$/],
] as const)('the wrong part of the key %s is found', (apiKey, message, part, reason) => {
  const problem = explainKey(apiKey, message)
  expect(problem.part).toBe(part)
  expect(problem.reason).toMatch(reason)
})

test('the known scenarios are details of an unknown one', () => {
  expect(explainKey('sbx_free_missing', unknown).details).toBe('known: default, low-stock')
})

test('a masked key that hides nothing has no ellipsis', () => {
  expect(showShortKeys('the keys sbx_free…, sbx_pro… and sbx_free_def… of sbx_business…')).toBe(
    'the keys sbx_free, sbx_pro and sbx_free_def… of sbx_business…',
  )
})
