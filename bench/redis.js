// A Redis server for a measurement.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { findFreePort, stopProcess } from './processes.js'

/** @typedef {{ url: string, child: import('node:child_process').ChildProcess }} Redis */

/**
 * Starts redis-server. It confirms a write when the append-only file is on the disk.
 *
 * @param {string} directory For its data.
 * @returns {Promise<Redis>}
 * @throws {Error} If redis-server is not installed or does not start.
 */
export async function startRedis(directory) {
  const port = await findFreePort()
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '']
  const durability = ['--appendonly', 'yes', '--appendfsync', 'always']
  const child = spawn('redis-server', [...place, ...durability], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child, 'spawn')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('Ready to accept connections')) break
  }
  child.stdout.resume()
  return { url: `redis://127.0.0.1:${port}`, child }
}

/**
 * Starts redis-server, calls a function with its address, and stops it.
 *
 * @param {string} directory For its data.
 * @param {(url: string) => Promise<void>} run
 * @throws {Error} If redis-server is not installed or does not start.
 */
export async function withRedis(directory, run) {
  const { url, child } = await startRedis(directory)
  try {
    await run(url)
  } finally {
    await stopProcess(child)
  }
}
