import { expect, test } from 'vitest'
import { parseApiKey } from '../../src/service/api-key.js'
import { run, serve } from './support.js'

test('key prints a key on one line and nothing else', async () => {
  const { code, stdout, stderr } = await run(['key'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^sbx_free_default_\w+\n$/)
})

test('key --json prints an object with the key', async () => {
  const { code, stdout } = await run(['key', '--json', '--plan', 'pro'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ apiKey: expect.stringMatching(/^sbx_pro_default_\w+$/) })
})

test('key has the plan and the scenario of its options', async () => {
  const { stdout } = await run(['key', '--plan', 'business', '--scenario', 'low-stock'])
  expect(parseApiKey(stdout.trim())).toMatchObject({ plan: 'business', scenario: 'low-stock' })
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

test('key --label gives the key a readable label', async () => {
  const { stdout } = await run(['key', '--label', 'acme', '--plan', 'pro'])
  expect(stdout).toBe('sbx_pro_default_acme\n')
})

test.each(['', 'a_b', 'a b', 'x'.repeat(65)])('key rejects the label %j', async (label) => {
  const { code, stdout, stderr } = await run(['key', '--label', label])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('--label must be 1 to 64 letters, digits or -, found')
})

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

test('key with a short secret fails in one line that does not contain it', async () => {
  const { code, stdout, stderr } = await run(['key', '--key-secret', 'too-short-1'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^petstore-sandbox: --key-secret must be a secret of at least 16 characters[^\n]+\n$/,
  )
  expect(stderr).not.toContain('too-short-1')
})

/** Returns the number of labels in which a bit is set. */
function countOnes(labels: readonly string[], bit: number): number {
  const digit = Math.floor(bit / 4)
  return labels.filter((label) => (Number.parseInt(label[digit] ?? '', 16) >> (bit % 4)) & 1).length
}
