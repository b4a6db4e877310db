import { expect, test } from 'vitest'
import { parseApiKey } from '../../src/service/api-key.js'
import { run, serve } from './support.js'

test('key --json prints an object with the key', async () => {
  const { code, stdout } = await run(['key', '--json', '--plan', 'pro'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ apiKey: expect.stringMatching(/^sbx_pro_default_\w+$/) })
})

test('key has a unique label of at least 128 random bits', async () => {
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => run(['key'])))
  const labels = outcomes.map(({ stdout }) => parseApiKey(stdout.trim())?.label ?? '')
  expect(new Set(labels).size).toBe(200)
  // 40 hexadecimal digits, at most 6 bits of which are constant.
  for (const label of labels) expect(label).toMatch(/^[0-9a-f]{40}$/)
  const bits = Array.from({ length: 160 }, (_, bit) => countOnes(labels, bit))
  const random = bits.filter((ones) => ones > 60 && ones < 140)
  expect(random.length).toBeGreaterThanOrEqual(128)
})

const secret = 'a secret of the operator'

test.each([
  ['the option', ['--key-secret', secret], {}],
  ['the variable', [], { PETSTORE_SANDBOX_KEY_SECRET: secret }],
  ['a previous secret after it', ['--key-secret', `${secret},the previous secret`], {}],
])('key signs the key with %s, so that a sandbox with the secret accepts it', async (...row) => {
  const [, args, env] = row
  const { stdout } = await run(['key', '--label', 'acme', ...args], env)
  expect(stdout).toMatch(/^sbx_free_default_acme-[0-9a-f]{32}\n$/)
  const { started } = await serve(['--key-secret', secret])
  const statusOf = async (key: string) => {
    const headers = { Authorization: `Bearer ${key}` }
    return (await fetch(`${started.urls.api}/inventory`, { headers })).status
  }
  expect(await statusOf(stdout.trim())).toBe(200)
  expect(await statusOf('sbx_free_default_acme')).toBe(401)
})

/** Returns the number of labels in which a bit is set. */
function countOnes(labels: readonly string[], bit: number): number {
  const digit = Math.floor(bit / 4)
  return labels.filter((label) => (Number.parseInt(label[digit] ?? '', 16) >> (bit % 4)) & 1).length
}
