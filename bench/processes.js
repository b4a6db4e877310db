// Servers in child processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from './bundle.js'
import { sendOne } from './client.js'

/**
 * @typedef {object} Server A program for Node.js.
 * @property {(port: number, otherPort: number) => (string | number)[]} toArguments Both ports are free.
 *
 * @typedef {object} Running
 * @property {number} port
 * @property {number} pid
 * @property {number} startMs Time from the start of the process to the end of its first response.
 *
 * @typedef {object} Context
 * @property {string} node The program with which everything is measured.
 * @property {string} directory For temporary files. Node.js keeps its compile cache there.
 */

/**
 * Returns the command `serve`.
 *
 * @param {string[]} options
 * @returns {Server}
 */
export function createServe(...options) {
  const bin = join(root, 'dist/cjs/cli.js')
  return { toArguments: (port) => [bin, 'serve', '--port', port, '--log', 'silent', ...options] }
}

/**
 * Starts servers, calls a function when each has responded, and stops them.
 *
 * @template Result
 * @param {Context} context
 * @param {Record<string, Server>} servers By name.
 * @param {(running: Record<string, Running>) => Promise<Result>} run
 * @returns {Promise<Result>}
 */
export async function withServers(context, servers, run) {
  const started = []
  try {
    const running = {}
    for (const [name, server] of Object.entries(servers)) {
      running[name] = await startServer(context, server, started)
    }
    return await run(running)
  } finally {
    for (const child of started) await stop(child)
  }
}

/** @throws {Error} If there is no response within 30 seconds. */
async function startServer({ node, directory }, { toArguments }, started) {
  const port = await findFreePort()
  const args = toArguments(port, await findFreePort()).map(String)
  const { NODE_COMPILE_CACHE: _, ...inherited } = process.env
  const env = { ...inherited, TMPDIR: directory, HOME: directory, PETSTORE_SANDBOX_NOTICE: '0' }
  const startedAt = performance.now()
  const child = spawn(node, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: directory, env })
  started.push(child)
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  while (!(await isServing(port))) {
    if (child.exitCode !== null || performance.now() - startedAt > 30_000) {
      throw new Error(`there is no response from node ${args.join(' ')}\n${errors}`)
    }
    await wait(2)
  }
  return { port, pid: child.pid, startMs: performance.now() - startedAt }
}

function isServing(port) {
  return sendOne({ port }).then(
    () => true,
    () => false,
  )
}

/**
 * Starts redis-server, calls a function with its address, and stops it. A write is confirmed when the
 * append-only file is on the disk.
 *
 * @param {Context} context
 * @param {(url: string) => Promise<any>} run
 */
export async function withRedis({ directory }, run) {
  const port = await findFreePort()
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '']
  const durability = ['--appendonly', 'yes', '--appendfsync', 'always']
  const child = spawn('redis-server', [...place, ...durability], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child, 'spawn')
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('Ready to accept connections')) break
    }
    child.stdout.resume()
    return await run(`redis://127.0.0.1:${port}`)
  } finally {
    await stop(child)
  }
}

/** Waits until a process has exited; kills it after some seconds. */
async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exit
  clearTimeout(timer)
}

/**
 * Returns a port that was free a moment ago. Linux gives connections a port from 32,768 on: one of
 * those can be in use again when the server listens.
 */
async function findFreePort() {
  const port = 16_384 + Math.floor(Math.random() * 16_384)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return findFreePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
