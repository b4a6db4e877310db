import { expect, test } from 'vitest'
import type { Client } from '../../src/engine/client.js'
import { createSandbox } from '../../src/index.js'
import { Problem } from '../../src/service/errors.js'
import { ScenarioError } from '../../src/world/scenario/error.js'

test.each([
  ['xbasic abc', 'found "xba…" (string) and 4 more characters'],
  ['basics a b', 'found "bas…" (string) and 4 more characters'],
  ['xBearer sbx_free', 'found "xBe…" (string) and 9 more characters'],
  ['Bearer sbx_free x', 'found "Bearer" (string) and 11 more characters'],
  [`Bearer sbx_free_a+${'x'.repeat(21)}`, 'names the unknown scenario "a"; '],
  [`Bearer sbx_free_slow+slow+${'x'.repeat(21)}`, `the unknown scenario "${'x'.repeat(20)}…"; `],
])('a request with the header "%s" is rejected: %s', async (header, message) => {
  const { keys } = (await createSandbox()).core
  await expect(keys.identify(header, 'production')).rejects.toThrow(message)
})

test('a key that is found during a reset is found again', async () => {
  const { keys, worlds } = (await createSandbox()).core
  await keys.find('sbx_free_slow', 'production')
  const found = keys.find('sbx_pro_slow', 'production')
  worlds.reset()
  await found
  const { world } = await keys.find('sbx_pro_slow', 'production')
  expect(worlds.all()).toContain(world)
})

test.each([
  [new ScenarioError('scenario', ['the pet 7 is missing']), 'do not merge: the pet 7 is missing'],
  [new Problem('sandbox_capacity', 'too many preparations'), 'too many preparations'],
])('a key whose scenarios cannot be prepared is rejected: %s', async (error, message) => {
  const { keys } = (await createSandbox()).core
  const prepare = () => Promise.reject(error)
  const [chargeControlRequest, chargeWorld] = [() => {}, () => {}]
  const client = { prepare, chargeControlRequest, chargeWorld } as Partial<Client> as Client // all that keys use
  expect((await keys.find('sbx_free_slow', 'production', client)).plan).toBe('free')
  await expect(keys.find('sbx_free_slow+slow', 'production', client)).rejects.toThrow(message)
})
