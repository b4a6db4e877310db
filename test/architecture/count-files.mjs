// Prints the source files whose functions one warm GET /inventory over HTTP calls, one per line.
import { readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { createSandboxServer } from '../../dist/esm/server.js'

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

// The headers of a connection are validated until they have been sent twice.
await list()
await list()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await session.post('Profiler.takePreciseCoverage')
await list()
const { result } = await session.post('Profiler.takePreciseCoverage')
const executed = new Set()
for (const { url, functions } of result) {
  if (!url.includes('/dist/esm/')) continue
  const bundle = await readFile(fileURLToPath(url), 'utf8')
  for (const { ranges } of functions) {
    const [{ startOffset, count }] = ranges
    if (count > 0 && startOffset > 0) executed.add(findSource(bundle, startOffset))
  }
}
for (const path of executed) if (path.startsWith('src/')) console.log(path.slice('src/'.length))
session.disconnect()
agent.destroy()
await server.close()

/** Returns the source file of an offset in a bundle. A comment with its path precedes each file. */
function findSource(bundle, offset) {
  return (
    bundle
      .slice(0, offset)
      .match(/^\/\/ (?:src|node_modules|dist)\/.*$/gm)
      ?.at(-1)
      ?.slice(3) ?? ''
  )
}
