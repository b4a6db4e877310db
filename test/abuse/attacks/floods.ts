import { type Flood, flood } from '../flood.js'
import { addresses, defineTrial, type Trial } from '../trial.js'
import { fillWorld } from './large-responses.js'

const notes = Array.from({ length: 15 }, (_, index) => `X-Note-${index}: ${'y'.repeat(250)}`)
const toMessage = (length: number) => JSON.stringify({ message: 'x'.repeat(length) })

export const readPages = defineFlood({
  name: 'read-pages',
  title:
    'One client pipelines requests for the document of the control API on 20 connections, and reads the responses.',
  unit: 'requests',
  attempts: { small: 6_000, full: 60_000 },
  flood: {
    line: 'GET /openapi.sandbox.json',
    apiKey: () => 'sbx_free_default_pages',
    perConnection: 300,
    connections: 20,
  },
})

const headsKey = 'sbx_enterprise_default_heads'

export const headRequests = defineTrial({
  name: 'head-requests',
  title: 'One client pipelines HEAD requests for the snapshot of a full world on 20 connections.',
  unit: 'requests',
  attempts: { small: 2_000, full: 20_000 },
  leavesWorlds: true,
  async run(context) {
    await fillWorld(context.client(addresses.attacker, headsKey))
    const line = 'HEAD /sandbox/snapshot'
    await flood(context, { line, apiKey: () => headsKey, perConnection: 100, connections: 20 })
  },
})

export const filledMessages = defineFlood({
  name: 'filled-messages',
  title: 'One client sends messages of 60 KB, 1,000 to each of many worlds.',
  unit: 'messages',
  attempts: { small: 6_000, full: 60_000 },
  leavesWorlds: true,
  flood: {
    line: 'POST /quickstart/messages',
    apiKey: (connection) => `sbx_enterprise_default_messages-${Math.floor(connection / 10)}`,
    body: toMessage(60_000),
    perConnection: 100,
    connections: 4,
  },
})

export const filledJournals = defineFlood({
  name: 'filled-journals',
  title:
    'One client fills the journals of many worlds with requests that have bodies and headers of 4 KB.',
  unit: 'requests',
  attempts: { small: 20_000, full: 100_000 },
  leavesWorlds: true,
  flood: {
    line: 'POST /quickstart/messages',
    headers: notes,
    apiKey: (connection) => `sbx_enterprise_empty-store_journal-${connection}`,
    body: toMessage(4_000),
    perConnection: 500,
    connections: 4,
  },
})

export const unreadLog = defineFlood({
  name: 'unread-log',
  title:
    'The standard output of the server is a pipe that nobody reads, while one client sends requests with paths of 900 characters.',
  unit: 'requests',
  attempts: { small: 20_000, full: 200_000 },
  server: { ignoresLog: true },
  flood: {
    line: `GET /v1/${'x'.repeat(900)}`,
    apiKey: () => 'sbx_free_default_log',
    perConnection: 1_000,
    connections: 4,
  },
})

function defineFlood({ flood: options, ...trial }: Omit<Trial, 'run'> & { flood: Flood }): Trial {
  return defineTrial({ ...trial, run: (context) => flood(context, options) })
}
