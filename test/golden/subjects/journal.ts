import { journalSerializer } from 'petstore-sandbox'
import { toTest } from '../../../src/console/copies/create-test.js'
import { toHar } from '../../../src/console/copies/har.js'
import {
  findBaseUrl,
  readSent,
  toCurlCopy,
  toFetchCopy,
} from '../../../src/console/copies/sent-request.js'
import { readServed } from '../../console/support.js'
import type { RequestRow } from '../../support/http-client.js'
import { type GoldenServer, openServer } from '../exchange.js'
import { toReadable } from '../readable.js'
import type { Subject } from '../subject.js'

const key = 'sbx_free_default_journal'
const pro = 'sbx_pro_default_journal'
const shared = 'sbx_business'
const credentials = {
  Cookie: 'session=abcdef; theme=dark',
  'X-Api-Token': 'abcdef',
  'X-Trace': 't-1',
  'Idempotency-Key': 'order-7',
  'User-Agent': 'shop/1.0',
}

/** What a client of one world does, with the commands that change the world in between. */
const requests: readonly RequestRow[] = [
  ['GET /v1/inventory', { key }],
  ['HEAD /v1/inventory', { key }],
  ['OPTIONS /v1/inventory', { key }],
  ['GET /v1/inventory?page=2&api_key=secret&token=abc', { key, headers: credentials }],
  ['PATCH /v1/inventory/1', { key, json: { quantity: 5 } }],
  ['PATCH /v1/inventory/1', { key: pro, json: { quantity: 5 } }],
  ['PATCH /v1/inventory/1', { key, json: { quantity: -1 } }],
  ['PATCH /v1/inventory/1', { key, json: { quantity: '5' } }],
  ['PATCH /v1/inventory/1', { key, json: {} }],
  ['PATCH /v1/inventory/1', { key, json: { quantity: 1, password: 'hunter2' } }],
  [
    'PATCH /v1/inventory/1',
    { key, headers: { 'Content-Type': 'application/json' }, body: '{"quantity":' },
  ],
  [
    'PATCH /v1/inventory/1',
    { key, headers: { 'Content-Type': 'text/plain' }, body: '{"quantity":1}' },
  ],
  ['PATCH /v1/inventory/1', { key, body: '{"quantity":1}' }],
  [
    'PATCH /v1/inventory/1',
    { key, headers: { 'Content-Encoding': 'gzip' }, json: { quantity: 1 } },
  ],
  ['PATCH /v1/inventory/404', { key, json: { quantity: 5 } }],
  ['PATCH /v1/inventory/abc', { key, json: { quantity: 5 } }],
  ['PATCH /v1/inventory/9223372036854775808', { key, json: { quantity: 5 } }],
  ['GET /v1/pets/1', { key }],
  ['GET /v1/pets/404', { key }],
  ['GET /v1/pets/01', { key }],
  ['GET /v1/store/orders', { key }],
  ['GET /v1/inventry', { key }],
  ['POST /v1/inventory', { key, json: { petId: 1 } }],
  ['GET /v1/nothing/like/this', { key }],
  ['POST /quickstart/messages', { key, json: { message: 'Hello, my token=abc' } }],
  ['POST /quickstart/messages', { key, json: { message: 'é'.repeat(3_000) } }],
  ['POST /quickstart/messages', { key, json: { message: 5 } }],
  ['GET /v1/inventory', { key, headers: { Prefer: 'code=401' } }],
  ['GET /v1/inventory', { key, headers: { Prefer: 'code=429' } }],
  ['GET /v1/pets/1', { key, headers: { Prefer: 'code=410' } }],
  ['GET /v1/inventory', { key, headers: { Prefer: 'code=500, wait=2' } }],
  ['GET /v1/inventory', { key, headers: { Prefer: 'wait=1' } }],
  ['GET /v1/inventory', { key, headers: { Prefer: 'code=418' } }],
  ['GET /v1/inventory', { key, headers: { Prefer: 'wait=soon' } }],
  ['GET /staging/v1/inventory', { key }],
  ['PATCH /staging/v1/inventory/2', { key, json: { quantity: 0 } }],
  // An int64 that JSON numbers cannot hold.
  ['PUT /sandbox/faults', { key, json: [] }],
  ['POST /sandbox/pets', { key, json: { petId: '9223372036854775807', name: 'Rex', quantity: 1 } }],
  ['GET /v1/pets/9223372036854775807', { key }],
  ['PATCH /v1/inventory/9223372036854775807', { key, json: { quantity: 2 } }],
  // Each kind of fault, before and after the operation.
  ...toFaulty({ type: 'status', status: 503 }, 'GET /v1/inventory'),
  ...toFaulty(
    { type: 'status', status: 418, code: 'teapot', message: 'short', retryAfterSeconds: 9 },
    'GET /v1/inventory',
  ),
  ...toFaulty({ type: 'delay', delayMs: 250 }, 'GET /v1/inventory'),
  ...toFaulty({ type: 'delay', delayMs: { min: 100, max: 400 } }, 'GET /v1/inventory'),
  ...toFaulty({ type: 'delay', delayMs: { median: 150, p95: 900 } }, 'GET /v1/inventory'),
  ...toFaulty({ type: 'delay', delayMs: 250, phase: 'after' }, 'PATCH /v1/inventory/2'),
  ...toFaulty({ type: 'reset' }, 'PATCH /v1/inventory/2'),
  ...toFaulty({ type: 'reset', phase: 'after' }, 'PATCH /v1/inventory/3'),
  ...toFaulty({ type: 'truncate' }, 'GET /v1/inventory'),
  ...toFaulty({ type: 'truncate', share: 0 }, 'PATCH /v1/inventory/4'),
  ...toFaulty({ type: 'status', status: 503, rate: 0.5 }, 'GET /v1/store/orders', 4),
  ...toFaulty({ type: 'status', status: 503, skip: 1, atMost: 1 }, 'GET /v1/store/orders', 3),
  ...toFaulty(
    { operation: 'updateInventory', sequence: [{ status: 503 }, 'pass', { delayMs: 20 }] },
    'PATCH /v1/inventory/5',
    4,
  ),
  ...toFaulty(
    { type: 'status', status: 500, match: { petId: 6, body: { quantity: 7 } } },
    'PATCH /v1/inventory/6',
    2,
  ),
  ['PUT /sandbox/faults', { key, json: [] }],
  // Windows, rejections, a ban, and its end.
  ['PATCH /sandbox/quota', { key, json: { minute: { remaining: 1 } } }],
  ['GET /v1/inventory', { key }],
  ['GET /v1/inventory', { key }],
  ['GET /v1/pets/1', { key: pro }],
  ['PATCH /sandbox/quota', { key, json: { minute: { remaining: 0, rejected: 8 } } }],
  ['GET /v1/inventory', { key }],
  ['GET /v1/inventory', { key }],
  ['GET /v1/inventory', { key }],
  ['PATCH /sandbox/clock', { key, json: { frozen: true, advance: 'PT301S' } }],
  ['GET /v1/inventory', { key }],
  ['PATCH /sandbox/quota', { key, json: { day: { remaining: 0 } } }],
  ['GET /v1/inventory', { key }],
  ['PATCH /sandbox/clock', { key, json: { advance: 'P1D' } }],
  ['GET /v1/inventory', { key }],
  ['PATCH /sandbox/clock', { key, json: { advance: 'P90D' } }],
  ['GET /v1/pets/1', { key }],
  ['GET /v1/pets/404', { key }],
]

/** A world that many use: of its requests, the journal does not have everything. */
const sharedRequests: readonly RequestRow[] = [
  ['GET /v1/inventory?page=2&q=collar', { key: shared, headers: credentials }],
  ['PATCH /v1/inventory/2', { key: shared, headers: credentials, json: { quantity: 5 } }],
]

/** Requests that no key identifies are in the journal of the initial world. */
const strayRequests: readonly RequestRow[] = [
  ['GET /v1/inventory'],
  ['GET /v1/inventory', { key: 'sbx_gold' }],
  ['GET /v1/inventory', { key: 'sbx_revoked' }],
  ['GET /v1/inventory', { key: 'sbx_free_no-such-scenario' }],
  ['GET /v1/inventory', { key: 'a-key-of-another-service' }],
  ['GET /v1/inventory', { headers: { Authorization: 'Basic c2VjcmV0' } }],
  ['GET /nothing'],
]

const queries = [
  'limit=3',
  'status=429&limit=2',
  'status=4xx&limit=2',
  'operation=sendMessage',
  'text=BANNED&limit=2',
  'unmatched=true&limit=2',
  'before=4',
  'after=60&limit=2',
  'since=2026-01-16T00:00:00Z&limit=1',
  'until=2026-01-15T09:00:00Z&limit=1',
]

export const journal: Subject = {
  name: 'journal',
  async produce() {
    const server = await openServer()
    for (const row of [...requests, ...sharedRequests, ...strayRequests]) await server.send(...row)
    const entries = await listEntries(server, 'sandbox', key)
    return {
      entries,
      staging: await listEntries(server, 'staging/sandbox', key),
      shared: await listEntries(server, 'sandbox', shared),
      numbers: await server.read('GET /sandbox/journal?limit=0', { key }),
      filters: await filter(server),
      copies: sample(entries).map(toCopies),
      har: toArchive(sample(entries)),
      snapshots: await serialize(server),
    }
  },
}

/** Adds a fault in place of all others, and sends a request once or several times. */
function toFaulty(fault: object, line: string, count = 1): RequestRow[] {
  const json = line.startsWith('PATCH') ? { quantity: 7 } : undefined
  const row: RequestRow = [line, json ? { key, json } : { key }]
  return [['PUT /sandbox/faults', { key, json: [fault] }], ...Array<RequestRow>(count).fill(row)]
}

type Entry = Parameters<typeof readSent>[0]

/** Returns the entries of a world, oldest first. */
async function listEntries(server: GoldenServer, path: string, apiKey: string): Promise<Entry[]> {
  const entries = await server.read(`GET /${path}/requests?limit=999`, { key: apiKey })
  return (entries as Entry[]).toReversed() // as documented
}

async function filter(server: GoldenServer) {
  const found: Record<string, unknown> = {}
  for (const query of queries) {
    const entries = await server.read(`GET /sandbox/requests?${query}`, { key })
    found[query] = (entries as Entry[]).map(({ id }) => id) // as documented
  }
  return found
}

/** Returns every sixth entry: copies repeat what entries contain. */
function sample(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ id }) => id % 6 === 4)
}

const documents = readServed()

/** The forms in which the console copies a request. */
function toCopies(entry: Entry) {
  const sent = readSent(entry, findBaseUrl(documents, entry.address), key)
  const start = { scenario: 'default', changes: [], earlier: [], description: 'the scenario' }
  return {
    id: entry.id,
    curl: toReadable(toCurlCopy(sent)),
    fetch: toReadable(toFetchCopy(sent)),
    test: toReadable(toTest(entry, start, key, 'vitest')),
  }
}

function toArchive(entries: readonly Entry[]) {
  const timed = entries.map((entry) => ({ ...entry, durationMs: 1.5 })).toReversed()
  return JSON.parse(toHar(timed, documents, '0.0.0'))
}

/** Returns the lines of the snapshot serializer for tests. */
async function serialize(server: GoldenServer) {
  const { world } = server.sandbox
  const found = (await server.sandbox.worldFor(key)).requests.find()
  return [...found, ...world.requests.find()].flatMap((entry) =>
    journalSerializer.serialize(entry, {}, '').split('\n'),
  )
}
