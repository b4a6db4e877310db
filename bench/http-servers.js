// Complete programs that serve an inventory over HTTP: the sandbox's command line and its references.
import { execFile, spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sendOne } from './client.js'
import { findFreePort, stopProcess } from './processes.js'
import { createItems } from './programs/pets.js'

const execute = promisify(execFile)
const minimum = fileURLToPath(new URL('servers/one-response.cjs', import.meta.url))

/**
 * @typedef {object} HttpServer
 * @property {string} name
 * @property {(port: number) => string[]} toArguments Arguments of Node.js.
 * @property {string} path Path of the inventory.
 */

/**
 * Returns the sandbox of a checkout.
 *
 * @param {string[]} [options] Of the command `serve`.
 * @returns {HttpServer}
 */
export function toSandbox({ label, bin }, options = []) {
  return {
    name: label,
    toArguments: (port) => [bin, 'serve', '--port', String(port), '--log', 'silent', ...options],
    path: '/v1/inventory',
  }
}

/**
 * Returns the sandbox of each checkout, json-server and node:http.
 *
 * @returns {Promise<{ servers: HttpServer[], notes: string[] }>}
 */
export async function findServers({ checkouts, directory }) {
  const sandboxes = checkouts.map((checkout) => toSandbox(checkout))
  const node = { name: 'node:http', toArguments: (port) => [minimum, String(port)], path: '/' }
  try {
    const jsonServer = await findJsonServer(directory)
    return { servers: [...sandboxes, jsonServer, node], notes: [] }
  } catch (error) {
    const [reason] = String(error.stderr || error.message)
      .trim()
      .split('\n')
      .slice(-1)
    const note = `json-server was skipped: it could not be installed (${reason})`
    return { servers: [...sandboxes, node], notes: [note] }
  }
}

/** npm installs json-server into its own cache, and not again if it is there. */
async function findJsonServer(directory) {
  const database = join(directory, 'inventory.json')
  await writeFile(database, JSON.stringify({ inventory: createItems(10) }))
  const { stdout } = await execute(
    'npm',
    [
      'exec',
      '--yes',
      '--prefer-offline',
      '--package=json-server@0.17.4',
      '-c',
      'command -v json-server',
    ],
    { cwd: directory, timeout: 120_000 },
  )
  const file = stdout.trim()
  return {
    name: 'json-server',
    toArguments: (port) => [file, database, '--port', String(port), '--quiet'],
    path: '/inventory',
  }
}

/**
 * Starts a server, waits for its first response, calls a function, and stops the server.
 *
 * @template Result
 * @param {string} node
 * @param {HttpServer} server
 * @param {string} temporary Directory for temporary files, where Node.js keeps its compile cache.
 * @param {(running: Running) => Result} run
 * @returns {Promise<Awaited<Result>>}
 */
export async function withServer(node, server, temporary, run) {
  const running = await startServer(node, server, temporary)
  try {
    return await run(running)
  } finally {
    await stopProcess(running.child)
  }
}

/**
 * @typedef {object} Running
 * @property {number} port
 * @property {number} pid
 * @property {number} firstResponseMs Time from the start of the process to its first response.
 * @property {import('node:child_process').ChildProcess} child
 */

/**
 * Starts a server and waits for its first response. The caller stops it.
 *
 * @param {string} node
 * @param {HttpServer} server
 * @param {string} temporary Directory for temporary files, where Node.js keeps its compile cache.
 * @returns {Promise<Running>}
 * @throws {Error} If there is no response within 30 seconds. The process is then stopped.
 */
export async function startServer(node, { toArguments, path }, temporary) {
  const port = await findFreePort()
  const args = toArguments(port)
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const options = {
    stdio: 'ignore',
    env: { ...env, TMPDIR: temporary, PETSTORE_SANDBOX_NOTICE: '0' },
  }
  const started = performance.now()
  const child = spawn(node, args, options)
  while (!(await isServing(port, path))) {
    if (child.exitCode !== null || performance.now() - started > 30_000) {
      await stopProcess(child)
      throw new Error(`there is no response from node ${args.join(' ')}`)
    }
    await wait(2)
  }
  return { port, pid: child.pid, child, firstResponseMs: performance.now() - started }
}

function isServing(port, path) {
  return sendOne(port, { method: 'GET', path, apiKey: 'sbx_free' }).then(
    () => true,
    () => false,
  )
}

/** Returns the resident memory of a process in MB (10⁶ bytes). Requires Linux. */
export async function readResidentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kib] = /^VmRSS:\s*(\d+) kB$/m.exec(status)
  return (Number(kib) * 1_024) / 1e6
}

/** Returns the CPU time of all threads of a process in µs. Requires Linux. */
export async function readCpuMicroseconds(pid) {
  let nanoseconds = 0
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const [onCpu] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ')
    nanoseconds += Number(onCpu)
  }
  return nanoseconds / 1_000
}
