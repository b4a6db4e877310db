// A Redis server for a measurement.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { findFreePort, stopProcess } from './processes.js'

/**
 * Starts redis-server with an append-only file, calls a function with its address, and stops it.
 *
 * @param {string} directory For its data.
 * @param {(url: string) => Promise<void>} run
 * @throws {Error} If redis-server is not installed or does not start.
 */
export async function withRedis(directory, run) {
  const port = await findFreePort()
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory]
  const child = spawn('redis-server', [...place, '--appendonly', 'yes', '--save', ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child, 'spawn')
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('Ready to accept connections')) break
    }
    child.stdout.resume()
    await run(`redis://127.0.0.1:${port}`)
  } finally {
    await stopProcess(child)
  }
}
