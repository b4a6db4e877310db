// Prints the files of dist/src that one warm GET /inventory over HTTP executes, one per line.
import { Session } from 'node:inspector/promises'
import { createSandboxServer } from '../../dist/src/server.js'

const server = await createSandboxServer()
const url = await server.listen({ port: 0 })
const session = new Session()
session.connect()

async function list() {
  const headers = { Authorization: 'Bearer sbx_enterprise' }
  const response = await fetch(`${url}/v1/inventory`, { headers })
  await response.text()
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
await server.close()
