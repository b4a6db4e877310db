// Resident memory of the server process: at rest, and with many worlds.
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { sendMany } from '../client.js'
import { findServers, readResidentMb, withServer } from '../http-servers.js'
import { alternate, forEachCheckout, pick } from '../measure.js'
import { toRow } from '../results.js'

const rounds = 3
const worlds = 10_000
const settleMs = 1_000

/** Maximum at rest by major version of Node.js, in MB. */
const targets = { 20: 78, 24: 90 }

export const memory = {
  id: 'memory',
  title: 'Memory of `serve`',
  method: `Resident memory in MB (10⁶ bytes), ${settleMs / 1_000} s after the last response; median of ${rounds} starts.`,

  async run(context) {
    if (!existsSync('/proc/self/status')) {
      return {
        rows: [],
        notes: ['memory was skipped: it is read from /proc, which only Linux has'],
      }
    }
    const { servers, notes } = await findServers(context)
    const rows = []
    for (const node of context.nodes) {
      rows.push(await measureRest(context, node, servers))
      rows.push(...(await measureWorlds(context, node, servers)))
    }
    return { rows, notes }
  },
}

async function measureRest({ directory }, node, servers) {
  const measure = (server) => withServer(node.path, server, directory, readSettled)
  const contenders = servers.map((server) => [server.name, () => measure(server)])
  const atMost = targets[node.major]
  return toRow({
    measurement: 'at rest, MB',
    node: node.version,
    samples: await alternate(rounds, Object.fromEntries(contenders)),
    targets: atMost === undefined ? [] : [{ atMost }],
  })
}

async function measureWorlds({ checkouts, directory }, node, servers) {
  const measure = ({ label }) => {
    const server = servers.find(({ name }) => name === label)
    return withServer(node.path, server, directory, async (running) => {
      const before = await readSettled(running)
      await sendMany(running.port, worlds, (index) => ({
        method: 'GET',
        path: '/v1/inventory',
        apiKey: `sbx_free_default_w${index}`,
      }))
      const total = await readSettled(running)
      return { total, added: total - before }
    })
  }
  const samples = await alternate(rounds, forEachCheckout(checkouts, measure))
  const name = `${worlds.toLocaleString('en-US')} worlds of default`
  const toWorldsRow = (measurement, figure, targets) =>
    toRow({ measurement, node: node.version, samples: pick(samples, figure), targets })
  return [
    toWorldsRow(`with ${name}, MB`, 'total'),
    toWorldsRow(`${name} in addition, MB`, 'added', [{ atMost: 120 }]),
  ]
}

async function readSettled({ pid }) {
  await wait(settleMs)
  return readResidentMb(pid)
}
