import { expect, test } from 'vitest'
import { bin } from '../support/program.js'
import { runFile, start } from './bin-support.js'
import { until } from './support.js'
import { serveWorld } from './world-support.js'

const key = 'sbx_pro_default_verify'

test('the program exits with 0 if the service agrees and with 1 if it deviates', async () => {
  const { url } = await serveWorld()
  const args = [bin, 'verify', '--url', `${url}/v1`, '--key', key]
  const { stdout } = await runFile(process.execPath, [...args, '--plan', 'pro'])
  expect(stdout).toContain(' 0 deviate, ')
  const deviating = runFile(process.execPath, [...args, '--plan', 'business'])
  await expect(deviating).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^deviates {2}limits\.plan-business {2}§8\n/),
    stderr: 'petstore-sandbox: 1 of 60 checks deviates\n',
  })
})

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
