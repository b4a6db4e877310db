// Sends requests one after the other on a few keep-alive connections and reads each response in full.
import { Agent, request } from 'node:http'

const headers = {
  Authorization: 'Bearer sbx_enterprise',
  'Content-Type': 'application/json',
}

/**
 * @param {number} port
 * @param {number} count Total number of requests.
 * @param {(index: number) => { method: string, path: string, body?: string }} toRequest
 */
export async function sendMany(port, count, toRequest) {
  const connections = 8
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  const work = async () => {
    while (next < count) await sendOne(port, agent, toRequest(next++))
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
}

function sendOne(port, agent, { method, path, body }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const options = { port, agent, method, path, headers: { ...headers, ...length } }
    const req = request(options, (res) => {
      if (res.statusCode !== 200)
        reject(new Error(`${method} ${path} responded with ${res.statusCode}`))
      res.on('data', () => {}).on('end', resolve)
    })
    req.on('error', reject)
    req.end(body)
  })
}
