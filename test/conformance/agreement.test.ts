import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDirectoryStore } from '../../src/store/directory.js'
import { unfoldRequests } from '../golden/replay/again.js'
import type { Cases, Step } from '../golden/replay/cases.js'
import { openOver } from '../golden/replay/places.js'
import { execute } from '../golden/replay/replay.js'
import { replays } from '../golden/replay/subjects.js'
import { createStoredTransport } from '../store/transports.js'
import { directTransport } from '../support/direct-transport.js'
import { MemoryStore } from '../support/memory-store.js'
import { createSuite } from '../support/suite.js'
import type { Transport } from '../support/transport.js'
import {
  httpMiddlewareTransport,
  httpNodeHttpTransport,
  middlewareTransport,
  mswAxiosTransport,
  mswNodeHttpTransport,
  mswTransport,
} from '../support/transports.js'
import { describeSpecification } from './service/cases/specification.js'

const directories: string[] = []
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true })
})

async function openReplicas() {
  const store = new MemoryStore(false)
  return [store, store, store]
}

async function openDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-agreement-'))
  directories.push(directory)
  return [await createDirectoryStore({ directory, now: Date.now })]
}

/** The golden files that each kind of transport replays. */
const replayed = {
  /** All except long lists, which take seconds. */
  msw: /^(?!control-large)/,
  /** All except errors and long lists, which reach no store. */
  replicas: /^(?!control-(errors|large))/,
  /** Those of the service. */
  store: /^(agreement|service-)/,
  /** Without journals, which show headers that clients add, and truncated bodies, which some reject. */
  client: /^agreement$|^service-(get|int64|list|methods|send|update)/,
} as const

/** Every transport and store that does not run the whole suites. */
const rows: readonly (readonly [Transport, RegExp])[] = [
  [mswTransport, replayed.msw],
  [createStoredTransport('three replicas', openReplicas), replayed.replicas],
  [createStoredTransport('a directory', openDirectory), replayed.store],
  [mswAxiosTransport, replayed.client],
  [mswNodeHttpTransport, replayed.client],
  [httpNodeHttpTransport, replayed.client],
  [middlewareTransport, replayed.client],
  [httpMiddlewareTransport, replayed.client],
]

// Journal entries state how long a request took.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

/** The requests of the golden files, by the name of the file. */
const files = await Promise.all(
  replays.map(async ({ name }) => {
    const text = await readFile(new URL(`../golden/files/${name}.json`, import.meta.url), 'utf8')
    const { cases } = JSON.parse(text) as Cases
    return [name, Object.values(cases).map(unfoldRequests)] as const
  }),
)

/** Sends the requests. Returns the responses, without what differs between transports and stores. */
async function sendAll(cases: readonly (readonly Step[])[], transport: Transport) {
  const responses: unknown[] = []
  for (const steps of cases) responses.push(await execute(steps, openOver(transport)))
  const text = JSON.stringify(responses)
    .replaceAll(/"error":"(?:[^"\\]|\\.)*"/g, '"error":"the connection broke"')
    .replaceAll(/"status":"599 \w*"/g, '"status":"599"')
    .replaceAll(/"store":"\w+"/g, '"store":"any"')
    .replaceAll(/content-length: \d+/g, 'content-length: any') // of HEAD, with the name of the store
    // Each process counts the requests without a world.
    .replaceAll(/x-request-id: local-\d+/g, 'x-request-id: local')
    // A replica that rejects a request does not read the store, which has the generation of all.
    .replaceAll(/(generation"?: ?)\d+/g, '$1any')
  return JSON.parse(text.replaceAll('"generation":any', '"generation":"any"'))
}

const expected = new Map<string, Promise<unknown>>()

for (const [transport, wanted] of rows) {
  describe(`over ${transport.name}`, () => describeSpecification(createSuite(transport)))

  describe(`${transport.name} responds byte for byte as sandbox.fetch to the requests of`, () => {
    test.each(files.filter(([name]) => wanted.test(name)))('%s', async (name, cases) => {
      const reference = expected.get(name) ?? sendAll(cases, directTransport)
      expected.set(name, reference)
      expect(await sendAll(cases, transport)).toEqual(await reference)
    })
  })
}
