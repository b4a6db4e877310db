import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bin } from '../support/program.js'
import { runAndListFiles, runFile, start, startServe } from './bin-support.js'
import { createDirectory, openRequest, untilClosed } from './support.js'

test('the curl command that serve prints works in a shell', async () => {
  const program = start(process.execPath, [bin, '--port', '0'])
  const [line] = await program.read(/curl .*/)
  expect(line).toContain('sbx_free')
  const { stdout } = await runFile('sh', ['-c', `${line.replace('curl', 'curl --silent')}`])
  expect(JSON.parse(stdout)).toContainEqual({ petId: 1, quantity: 4, status: 'available' })
})

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 0],
] as const)('%s finishes a request in flight and exits with %i', async (signal, code) => {
  const { child, ended, url } = await startServe(['--notice', '0'])
  const inFlight = await openRequest(`${url}/v1`)
  child.kill(signal)
  await untilClosed(url)
  inFlight.finish()
  expect(await inFlight.status).toBe(200)
  expect(await ended).toEqual([code, null])
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second %s exits with %i immediately', async (signal, code) => {
  const { child, ended, url } = await startServe(['--notice', '0'])
  const inFlight = await openRequest(`${url}/v1`)
  child.kill(signal)
  await untilClosed(url)
  child.kill(signal)
  expect(await ended).toEqual([code, null])
  expect(await inFlight.status).toBe('reset')
})

test('serve exits with 0 after SIGTERM even if the module of --handlers has a timer', async () => {
  const text = 'setInterval(() => {}, 1000); export default []'
  const directory = await createDirectory({ 'handlers.mjs': text })
  const handlers = join(directory, 'handlers.mjs')
  const { child, ended } = await startServe(['--notice', '0', '--handlers', handlers])
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('serve --data creates files that only their user can read', async () => {
  const directory = join(await createDirectory({}), 'worlds')
  const { child, ended, url } = await startServe(['--notice', '0', '--data', directory])
  const headers = { Authorization: 'Bearer sbx_free' }
  expect((await fetch(`${url}/v1/inventory`, { headers })).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777
  expect(await modeOf(directory)).toBe(0o700)
  const names = await readdir(directory)
  expect(names).toContain('CURRENT')
  for (const name of names) expect(await modeOf(join(directory, name)), name).toBe(0o600)
})

test('serve continues after its reader has exited', async () => {
  const { child, url } = await startServe([])
  child.stdout?.destroy()
  const headers = { Authorization: 'Bearer sbx_free' }
  for (let count = 0; count < 5; count++) {
    expect((await fetch(`${url}/v1/inventory`, { headers })).status).toBe(200)
  }
  expect(child.exitCode).toBeNull()
})

test('a short command succeeds after its reader has exited', async () => {
  const command = `"${process.execPath}" "${bin}" openapi 2>&1 | head -c 1`
  const { stdout, stderr } = await runFile('sh', ['-c', command])
  expect({ stdout, stderr }).toEqual({ stdout: '{', stderr: '' })
})

test('a failure exits with 1 and one line', async () => {
  const failure = await runFile(process.execPath, [bin, 'serve', '--port', 'x']).catch((e) => e)
  expect(failure).toMatchObject({ code: 1, stdout: '' })
  expect(failure.stderr).toMatch(/^petstore-sandbox: --port must be [^\n]+\n$/)
})

test.each([[['key']], [['--help']], [['help', 'serve']]])(
  '%j loads neither a sandbox nor a server',
  async (args) => {
    const { files } = await runAndListFiles(args)
    const loaded = [...files].filter((file) => /^(http|run|pages|create)\d?\.js$/.test(file))
    expect(files).toContain('command-line.js')
    expect(loaded).toEqual([])
  },
)
