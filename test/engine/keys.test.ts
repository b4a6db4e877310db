import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'

test.each([
  ['Basic abc', 'found "Basic" (string) and 4 more characters'],
  ['xbasic abc', 'found "xba…" (string) and 4 more characters'],
  ['basics a b', 'found "bas…" (string) and 4 more characters'],
  ['xBearer sbx_free', 'found "xBe…" (string) and 9 more characters'],
  ['Bearer sbx_free x', 'found "Bearer" (string) and 11 more characters'],
  [`Bearer sbx_free_a+${'x'.repeat(21)}`, 'names the unknown scenario "a"; '],
  [`Bearer sbx_free_slow+${'x'.repeat(21)}`, `the unknown scenario "${'x'.repeat(20)}…"; `],
])('a request with the header "%s" is rejected: %s', async (header, message) => {
  const { keys } = (await createSandbox()).core
  await expect(keys.identify(header, 'production')).rejects.toThrow(message)
})

test.each([
  ['slow_12345678', 'slow/12345678'],
  ['slow_123456789', 'slow/12345678…'],
])('the key sbx_pro_%s reaches the world %s', async (key, world) => {
  const { keys } = (await createSandbox()).core
  const description = `key sbx_pro_slow… is on plan Pro, world production/${world}`
  expect(await keys.find(`sbx_pro_${key}`, 'production')).toMatchObject({ description })
})
