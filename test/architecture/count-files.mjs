// Prints the files of dist/src that one warm GET /inventory over HTTP executes, one per line.
import { Agent, get } from 'node:http'
import { Session } from 'node:inspector/promises'
import { createSandboxServer } from '../../dist/src/server.js'

const server = await createSandboxServer()
const url = await server.listen({ port: 0 })
const session = new Session()
session.connect()

/** One connection, so that the counted request does not open another. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const options = { agent, headers: { Authorization: 'Bearer sbx_enterprise' } }

function list() {
  return new Promise((resolve, reject) => {
    const onResponse = (response) => response.resume().on('close', resolve)
    get(`${url}/v1/inventory`, options, onResponse).on('error', reject)
  })
}

await list()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await session.post('Profiler.takePreciseCoverage')
await list()
const { result } = await session.post('Profiler.takePreciseCoverage')
const executed = result.filter(({ url, functions }) => {
  const isOurs = url.includes('/dist/src/')
  return isOurs && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
})
for (const { url } of executed) console.log(url.split('/dist/src/')[1])
session.disconnect()
agent.destroy()
await server.close()
