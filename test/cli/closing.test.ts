import { expect, test } from 'vitest'
import { startServe } from './bin-support.js'
import { run, serve, startCommand, until } from './support.js'

const authorization = { Authorization: 'Bearer sbx_free' }

test('after SIGTERM /readyz responds with 503 and requests are served until the notice has passed', async () => {
  const { child, written, ended, url } = await startServe(['--notice', '3600'])
  const ready = async () => (await fetch(`${url}/readyz`)).status
  expect(await ready()).toBe(200)
  child.kill('SIGTERM')
  await until(() => written.stdout.includes('"closing"'))
  expect(await ready()).toBe(503)
  const response = await fetch(`${url}/v1/inventory`, { headers: authorization })
  expect(response.status).toBe(200)
  expect(await response.json()).toHaveLength(12)
  child.kill('SIGTERM')
  expect(await ended).toEqual([143, null])
})

test('the notice is 5 seconds by default', async () => {
  const { child, written } = await startServe([])
  child.kill('SIGTERM')
  await until(() => written.stdout.includes('"closing"'))
  const [line = ''] = written.stdout.trimEnd().split('\n').slice(-1)
  expect(JSON.parse(line)).toEqual({
    time: expect.any(String),
    event: 'closing',
    line: 'closing on SIGTERM: /readyz responds with 503 for 5 s, then the server accepts no new connections',
  })
})

test.each([
  ['SIGINT', false],
  ['SIGINT', true],
  ['SIGTERM', true],
] as const)('%s closes the server at once if the output is a terminal: %j', async (name, isTTY) => {
  const { read, signal, ended } = startCommand(['--port', '0'], {}, isTTY)
  await until(() => read().stdout.includes('Ctrl+C'))
  signal(name)
  expect(await ended).toBe(0)
  const [closing, closed] = read().stdout.trimEnd().split('\n').slice(-2)
  expect(closing).toContain(`closing on ${name}: the server accepts no new connections`)
  expect(closed).toMatch(/ {2}closed$/)
})

test('SIGINT closes the server at once also with --notice', async () => {
  const served = await serve(['--notice', '3600'])
  served.signal('SIGINT')
  expect(await served.ended).toBe(0)
})

test.each(['-1', '0.5', '3601', '5s'])('serve rejects --notice %s', async (value) => {
  const { code, stderr } = await run(['serve', `--notice=${value}`])
  expect(code).toBe(1)
  expect(stderr).toContain('--notice must be an integer from 0 to 3600, found ')
})
