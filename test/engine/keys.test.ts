import { describe, expect, test } from 'vitest'
import { createSandbox, type Scenario } from '../../src/index.js'
import { Problem } from '../../src/service/errors.js'

const scenario: Scenario = {
  name: 'shop',
  extends: 'default',
  apiKeys: [{ key: 'shop-key-1', plan: 'pro' }],
}

/** Returns the keys and the worlds of a sandbox. */
const open = async () => (await createSandbox({ scenario })).core

const form = 'the Authorization header must be "Bearer <API_KEY>"'

describe('a request is rejected', () => {
  test.each([
    ['', `${form}, found none`],
    ['Basic abc', `${form} with one space, found "Basic" and 4 more characters`],
    ['Bearer', `${form} with one space, found "Bearer" and 0 more characters`],
    ['xbasic abc', `${form} with one space, found "xba…" and 4 more characters`],
    ['basics a b', `${form} with one space, found "bas…" and 4 more characters`],
    ['xBearer sbx_free', `${form} with one space, found "xBe…" and 9 more characters`],
    ['Bearer sbx_free x', `${form} with one space, found "Bearer" and 11 more characters`],
  ])('with the header "%s": missing_api_key', async (header, message) => {
    const { keys } = await open()
    const problem = new Problem('missing_api_key', message)
    await expect(keys.identify(header, 'production')).rejects.toEqual(problem)
  })

  test.each([
    ['sbx_revoked', 'sbx_revoked… is revoked'],
    ['sbx_free_x-low-stok', 'sbx_free_x-l… names the unknown scenario "x-low-stok"'],
    [
      'sbx_free_low-stok',
      'sbx_free_low… names the unknown scenario "low-stok"; did you mean "low-stock"?',
    ],
    [
      `sbx_free_default+${'x'.repeat(21)}`,
      `sbx_free_def… names the unknown scenario "${'x'.repeat(20)}…"`,
    ],
    [
      'sbx_free_a+b+c+d',
      'sbx_free_a+b… joins 4 scenarios with +, and a key joins at most 3; PUT /sandbox/scenario merges more',
    ],
  ])('with the key %s: invalid_api_key', async (key, message) => {
    const { keys } = await open()
    const problem = new Problem('invalid_api_key', `the API key ${message}`)
    await expect(keys.find(key, 'production')).rejects.toEqual(problem)
  })
})

test.each([
  ['sbx_free', 'free', 'key sbx_free… is on plan Free, world production/shop'],
  [
    'sbx_pro_low-stock+slow_12345678',
    'pro',
    'key sbx_pro_low-… is on plan Pro, world production/low-stock+slow/12345678',
  ],
  [
    'sbx_pro_slow_123456789',
    'pro',
    'key sbx_pro_slow… is on plan Pro, world production/slow/12345678…',
  ],
  ['shop-key-1', 'shop-key-1', 'key shop-… is on plan Pro, world production/shop'],
])('the key %s has the account %s: %s', async (key, accountId, description) => {
  const { keys } = await open()
  expect(await keys.find(key, 'production')).toMatchObject({ accountId, description })
})
