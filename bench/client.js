// Sends requests one after the other on a few keep-alive connections and reads each response in full.
import { Agent, request } from 'node:http'

/** @typedef {{ method: string, path: string, body?: string, apiKey?: string }} BenchRequest */

/**
 * @param {number} port
 * @param {number} count Total number of requests.
 * @param {(index: number) => BenchRequest} toRequest
 * @param {number} [connections]
 */
export async function sendMany(port, count, toRequest, connections = 4) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  const work = async () => {
    while (next < count) await sendOne(port, toRequest(next++), agent)
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
}

/**
 * Sends a request.
 *
 * @param {number} port
 * @param {BenchRequest} request
 * @param {Agent} [agent]
 * @returns {Promise<{ rawHeaders: string[], body: Buffer }>}
 * @throws {Error} If the response is not 200.
 */
export function sendOne(port, { method, path, body, apiKey = 'sbx_enterprise' }, agent) {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  }
  return new Promise((resolve, reject) => {
    const sent = request({ port, agent, method, path, headers }, (res) => {
      const chunks = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('end', () => {
        const { statusCode, rawHeaders } = res
        if (statusCode === 200) resolve({ rawHeaders, body: Buffer.concat(chunks) })
        else reject(new Error(`${method} ${path} responded with ${statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
