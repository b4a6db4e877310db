// Sends requests on keep-alive connections, each after the response to the previous one.
import { Agent, request } from 'node:http'

/** @typedef {{ port: number, path?: string, body?: string, apiKey?: string }} BenchRequest A PATCH if it has a body. */

/**
 * @param {number} count Total number of requests.
 * @param {(index: number) => BenchRequest} toRequest
 * @param {number} [connections] Requests in progress at the same time.
 */
export async function sendMany(count, toRequest, connections = 10) {
  const agent = new Agent({ keepAlive: true })
  let next = 0
  const work = async () => {
    while (next < count) await sendOne(toRequest(next++), agent)
  }
  try {
    await Promise.all(Array.from({ length: connections }, work))
  } finally {
    agent.destroy()
  }
}

/**
 * @param {BenchRequest} request
 * @param {Agent} [agent]
 * @returns {Promise<{ headers: import('node:http').IncomingHttpHeaders, body: string }>}
 * @throws {Error} If the response is not 200.
 */
export function sendOne(
  { port, path = '/v1/inventory', body, apiKey = 'sbx_enterprise_bench' },
  agent,
) {
  const method = body === undefined ? 'GET' : 'PATCH'
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (res) => {
      const chunks = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () => {
        if (res.statusCode === 200) {
          resolve({ headers: res.headers, body: Buffer.concat(chunks).toString() })
        } else reject(new Error(`${method} ${path} responded with ${res.statusCode}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
