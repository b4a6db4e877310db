import { expect, test } from 'vitest'
import { bin } from '../support/program.js'
import { runAndListFiles, start } from './bin-support.js'
import { until } from './support.js'
import { serveWorld } from './world-support.js'

test('events exits with 0 after its reader has exited', async () => {
  const { url, get } = await serveWorld()
  const env = { PETSTORE_SANDBOX_URL: url, NODE: process.execPath, BIN: bin }
  const command = '{ "$NODE" "$BIN" world events; echo "exit $?" >&2; } | head -n 1'
  const { written, ended } = start('sh', ['-c', command], env)
  await until(() => written.stderr.includes('following'))
  await until(async () => {
    await get('/v1/inventory')
    return written.stderr.includes('exit')
  })
  await ended
  expect(written.stdout).toMatch(/^#1 [^\n]+\n$/)
  expect(written.stderr).toMatch(/\nexit 0\n$/)
})

test('world loads neither the server nor another package', async () => {
  const { url } = await serveWorld()
  const { stdout, files } = await runAndListFiles(['world', 'show', '--url', url])
  expect(stdout).toContain('World       environment production, scenario default, label none\n')
  expect(files).toContain('command-line.js')
  expect([...files].filter((file) => /^(http|pages)\.js$|node_modules/.test(file))).toEqual([])
})
