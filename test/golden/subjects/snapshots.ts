import type { RequestRow } from '../../support/http-client.js'
import { type GoldenServer, openServer } from '../exchange.js'
import type { Subject } from '../subject.js'

const key = 'sbx_free_default_snapshot'
const listedKey = 'acme-live-key-0001'

/** Requests that lead to a state, by the name of the state. */
const states: Readonly<Record<string, readonly RequestRow[]>> = {
  start: [],
  used: [
    ['PATCH /v1/inventory/1', { key, json: { quantity: 5 } }],
    ['POST /quickstart/messages', { key, json: { message: 'Hello' } }],
    ['GET /v1/inventory', { key: 'sbx_pro_default_snapshot' }],
    ['PATCH /sandbox/clock', { key, json: { advance: 'PT30.5S' } }],
  ],
  'changed-data': [
    ['DELETE /sandbox/pets/2', { key }],
    [
      'POST /sandbox/pets',
      { key, json: { petId: '9223372036854775807', name: 'Rex', chip: { id: '0a', since: null } } },
    ],
    ['PATCH /sandbox/pets/3', { key, json: { status: 'sold', quantity: -3 } }],
    [
      'POST /sandbox/orders',
      { key, json: { id: '9007199254740993', petId: 1, note: ['fragile'] } },
    ],
    ['DELETE /sandbox/orders/1001', { key }],
  ],
  faults: [
    [
      'PUT /sandbox/faults',
      {
        key,
        json: [
          { type: 'status', status: 503, skip: 2, atMost: 3 },
          { operation: 'listOrders', sequence: [{ status: 503 }, 'pass', { delayMs: 200 }] },
          { type: 'delay', delayMs: { min: 100, max: 400 }, rate: 0.5 },
          { type: 'reset', match: { petId: 7, headers: { 'X-Client': 'shop' } } },
        ],
      },
    ],
    ['GET /v1/inventory', { key }],
    ['GET /v1/store/orders', { key }],
    ['GET /v1/inventory', { key }],
  ],
  banned: [
    ['PATCH /sandbox/quota', { key, json: { minute: { remaining: 0, rejected: 9 } } }],
    ['GET /v1/inventory', { key }],
    ['PATCH /sandbox/clock', { key, json: { frozen: true, advance: 'PT10S' } }],
  ],
  'other-scenario': [['PUT /sandbox/scenario', { key, json: ['sunset-soon', 'gentle-limit'] }]],
  'listed-keys': [
    [
      'PUT /sandbox/scenario',
      {
        key,
        json: {
          name: 'listed',
          apiKeys: [
            { key: listedKey, plan: 'business' },
            { key: 'acme-live-key-0002', plan: 'free' },
          ],
          quota: { 'acme-live-key-0002': { day: { used: 3 } } },
          plans: { free: { requestsPerMinute: 5 } },
          rules: { additionalFields: 'ignore', ban: { seconds: 60 } },
        },
      },
    ],
  ],
}

/** Requests whose responses depend on the state. */
const probes: readonly RequestRow[] = [
  ['GET /v1/inventory', { key }],
  ['GET /v1/pets/1', { key }],
  ['GET /v1/store/orders', { key }],
  ['POST /quickstart/messages', { key, json: { message: 'Hello again' } }],
  ['GET /sandbox/clock', { key }],
  ['GET /sandbox/quota', { key }],
  ['GET /sandbox/faults', { key }],
]

export const snapshots: Subject = {
  name: 'snapshots',
  async produce() {
    const produced: Record<string, unknown> = {}
    for (const [name, rows] of Object.entries(states)) produced[name] = await toState(rows)
    return {
      ...produced,
      ofListedKey: await readAsListed(),
      named: await readNamed(),
    }
  },
}

/** Returns the snapshot of a state, and whether a world that starts from it is the same. */
async function toState(rows: readonly RequestRow[]) {
  const server = await openServer()
  for (const row of rows) await server.send(...row)
  const snapshot = await read(server)
  const copy = await openServer()
  await copy.send('PUT /sandbox/scenario', { key, json: snapshot })
  const again = await read(copy)
  const [responses, responsesOfCopy] = [await probe(server), await probe(copy)]
  return {
    snapshot,
    isSameWhenLoaded: JSON.stringify(again) === JSON.stringify(describeAs(snapshot, again)),
    respondsAlikeWhenLoaded: JSON.stringify(responses) === JSON.stringify(responsesOfCopy),
    after: await read(server),
  }
}

type Snapshot = Readonly<Record<string, unknown>>

async function read(server: GoldenServer, query = ''): Promise<Snapshot> {
  return (await server.read(`GET /sandbox/snapshot${query}`, { key })) as Snapshot // as documented
}

/** The description names the scenario that the world started from. */
function describeAs(snapshot: Snapshot, { description }: Snapshot): Snapshot {
  return { ...snapshot, description }
}

async function probe(server: GoldenServer) {
  const exchanges = await server.exchange(probes)
  // The generation belongs to the world, not to its state.
  return JSON.parse(JSON.stringify(exchanges).replaceAll(/"sandbox-world-generation":"\d+",?/g, ''))
}

/** With a key secret, a listed key does not see the other ones. */
async function readAsListed() {
  const access = { keySecrets: ['a secret of the operator'] }
  const server = await openServer({ scenario: listed, access })
  return server.read('GET /sandbox/snapshot', { key: listedKey })
}

const listed = {
  name: 'listed',
  apiKeys: [
    { key: listedKey, plan: 'business' as const },
    { key: 'acme-live-key-0002', plan: 'free' as const },
  ],
  quota: { 'acme-live-key-0002': { day: { used: 3 } } },
}

function readNamed() {
  return openServer({ scenario: 'empty-store' }).then((server) =>
    server.exchange([
      ['GET /sandbox/snapshot?name=seen', { key: 'sbx_pro' }],
      ['GET /sandbox/snapshot?name=Not%20Kebab', { key: 'sbx_pro' }],
    ]),
  )
}
