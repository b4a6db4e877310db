import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bin } from '../support/program.js'
import { RawClient } from '../support/raw-client.js'
import { runAndListFiles, runFile, start, startServe } from './bin-support.js'
import { createDirectory, until } from './support.js'

test('the curl command that serve prints works in a shell', async () => {
  const program = start(process.execPath, [bin, '--port', '0'])
  const [line] = await program.read(/curl .*/)
  expect(line).toContain('sbx_free')
  const { stdout } = await runFile('sh', ['-c', `${line.replace('curl', 'curl --silent')}`])
  expect(JSON.parse(stdout)).toContainEqual({ petId: 1, quantity: 4, status: 'available' })
})

/** Sends the headers of updateInventory, and resolves when the server waits for the body. */
async function sendHeaders(url: string): Promise<RawClient> {
  const client = new RawClient(Number(new URL(url).port))
  onTestFinished(() => client.abort())
  const lines = [
    'PATCH /v1/inventory/7 HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer sbx_free',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ]
  client.send(`${lines.join('\r\n')}\r\n\r\n`)
  expect((await client.response()).status).toBe(100)
  return client
}

const body = '{"quantity":25}'

/** Waits until a server no longer accepts connections. */
async function untilClosed(url: string): Promise<void> {
  await until(() =>
    fetch(url).then(
      () => false,
      () => true,
    ),
  )
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s finishes a request in flight, and exits with 0',
  async (signal) => {
    const { child, ended, url } = await startServe(['--notice', '0'])
    const client = await sendHeaders(url)
    child.kill(signal)
    await untilClosed(url)
    client.send(body)
    expect((await client.response()).status).toBe(200)
    expect(await ended).toEqual([0, null])
  },
)

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second %s exits with %i immediately', async (signal, code) => {
  const { child, ended, url } = await startServe(['--notice', '0'])
  const client = await sendHeaders(url)
  child.kill(signal)
  await untilClosed(url)
  child.kill(signal)
  expect(await ended).toEqual([code, null])
  await expect(client.response()).rejects.toThrow('the connection ended')
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

test.each([[['key']], [['--help']], [['help', 'serve']], [['world', '--help']]])(
  '%j loads neither a sandbox, nor a server, nor the library of MCP',
  async (args) => {
    const { files } = await runAndListFiles(args)
    const loaded = [...files].filter((file) =>
      /^(http|run|pages|create|mcp)\d?\.js$|node_modules\/zod/.test(file),
    )
    expect(files).toContain('command-line.js')
    expect(loaded).toEqual([])
  },
)
