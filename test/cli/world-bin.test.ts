import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from './support.js'
import { serveWorld } from './world-support.js'

const bin = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url))
const runFile = promisify(execFile)

beforeAll(async () => {
  // Fails if the package is not built. `npm test` builds it.
  await access(bin)
})

/** Starts a process and kills it when the test ends. */
function start(file: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  }
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, written, ended }
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s makes events exit with 0', async (signal) => {
  const { url, get } = await serveWorld()
  const env = { PETSTORE_SANDBOX_URL: url }
  const { child, written, ended } = start(process.execPath, [bin, 'world', 'events'], env)
  await until(() => written.stderr.includes('following'))
  await get('/v1/inventory')
  await until(() => written.stdout.includes('listInventory'))
  child.kill(signal)
  expect(await ended).toEqual([0, null])
  expect(written.stderr).toBe(`following the requests at ${url}; press Ctrl+C to stop\n`)
})

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

test('world loads no library except commander and zod', async () => {
  const { url } = await serveWorld()
  const env = { ...process.env, BIN: bin, PETSTORE_SANDBOX_URL: url }
  const args = ['--input-type=module', '-e', listModules]
  const { stdout } = await runFile(process.execPath, args, { env })
  expect(stdout).toContain('World     production/default\n')
  const loaded: string[] = JSON.parse(stdout.slice(stdout.indexOf('\n[') + 1))
  const libraries = loaded.flatMap(
    (path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  )
  expect(new Set(libraries)).toEqual(new Set(['commander', 'zod']))
})

/** Runs `world show` with a loader that keeps the URL of every module, and prints them. */
const listModules = `
  import { register } from 'node:module'
  import { MessageChannel } from 'node:worker_threads'
  const { port1, port2 } = new MessageChannel()
  const urls = []
  port1.on('message', (url) => urls.push(url)).unref()
  const loader = \`
    let port
    export const initialize = (data) => { port = data.port }
    export const load = (url, context, next) => { port.postMessage(url); return next(url, context) }
  \`
  register('data:text/javascript,' + encodeURIComponent(loader), {
    data: { port: port2 }, transferList: [port2],
  })
  process.argv = [process.argv[0], process.env.BIN, 'world', 'show']
  await import(process.env.BIN)
  await new Promise((resolve) => setImmediate(resolve))
  process.stdout.write('\\n' + JSON.stringify(urls))
`
