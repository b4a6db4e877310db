import { expect, test } from 'vitest'
import { parseApiKey } from '../../src/contract/api-key.js'
import { run } from './support.js'

test('key prints a key on one line and nothing else', async () => {
  const { code, stdout, stderr } = await run(['key'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^sbx_free_default_\w+\n$/)
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

/** Returns the number of labels in which a bit is set. */
function countOnes(labels: readonly string[], bit: number): number {
  const digit = Math.floor(bit / 4)
  return labels.filter((label) => (Number.parseInt(label[digit] ?? '', 16) >> (bit % 4)) & 1).length
}
