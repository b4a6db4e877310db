// Time from the start of a process to the end of its first response.
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { findServers, withServer } from '../http-servers.js'
import { alternate } from '../measure.js'
import { toRow } from '../results.js'

const rounds = 11
const emptyCacheRounds = 5

export const start = {
  id: 'start',
  title: 'Start of `serve`',
  method: `Milliseconds from the start of the process to the end of its first response; median of ${rounds} alternating rounds.`,

  async run(context) {
    const { servers, notes } = await findServers(context)
    const rows = []
    for (const node of context.nodes) {
      rows.push(await measureUsual(context, node, servers))
      // Earlier versions of Node.js have no compile cache.
      if (node.major >= 22) rows.push(await measureEmptyCache(context, node, servers))
    }
    return { rows, notes }
  },
}

/** Measures starts for which an earlier one has filled the compile cache. */
async function measureUsual({ directory }, node, servers) {
  const temporary = new Map()
  for (const { name } of servers) temporary.set(name, await mkdtemp(join(directory, 'cache-')))
  const measure = (server) => measureStart(node, server, temporary.get(server.name))
  for (const server of servers) await measure(server)
  return toRow({
    measurement: 'first response, ms',
    node: node.version,
    samples: await alternate(rounds, toContenders(servers, measure)),
    targets: [
      { reference: 'json-server', times: 1 },
      { reference: 'node:http', times: 2.5 },
    ],
  })
}

async function measureEmptyCache({ directory }, node, servers) {
  const measure = async (server) =>
    measureStart(node, server, await mkdtemp(join(directory, 'cache-')))
  return toRow({
    measurement: 'with an empty compile cache, ms',
    node: node.version,
    samples: await alternate(emptyCacheRounds, toContenders(servers, measure)),
  })
}

function toContenders(servers, measure) {
  return Object.fromEntries(servers.map((server) => [server.name, () => measure(server)]))
}

function measureStart(node, server, temporary) {
  return withServer(node.path, server, temporary, ({ firstResponseMs }) => firstResponseMs)
}
