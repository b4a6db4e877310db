import { expect, test } from 'vitest'
import { bin } from '../support/program.js'
import { start } from './bin-support.js'
import { until } from './support.js'
import { serveWorld } from './world-support.js'

const key = 'sbx_pro_default_verify'

test('the program restores what it changed on SIGINT, and exits with 2', async () => {
  const { url, sandbox } = await serveWorld()
  const world = await sandbox.worldFor(key)
  // The response to the change is lost in a delay that the signal ends.
  world.faults.add({
    type: 'delay',
    delayMs: 60_000,
    phase: 'after',
    operation: 'updateInventory',
    skip: 5,
    atMost: 1,
  })
  const args = [bin, 'verify', '--url', `${url}/v1`, '--key', key, '--allow-writes']
  const { child, ended, written } = start(process.execPath, [...args, '--timeout', '100'])
  await until(() => world.db.pets.find('1')?.quantity === 11)
  child.kill('SIGINT')
  expect(await ended).toEqual([2, null])
  expect(written.stderr).toContain('petstore-sandbox: stopped early: interrupted\n')
  expect(world.db.pets.find('1')?.quantity).toBe(4)
})
