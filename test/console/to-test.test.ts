import { mkdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { createTest } from '../../src/console/journal/create-test.js'
import { StartRecorder } from '../../src/console/journal/starts.js'
import { toTest } from '../../src/console/journal/to-test.js'
import { PageClient } from '../../src/console/session/client.js'
import { openSandbox, origin, readServed } from './support.js'

const { control } = readServed()
const apiKey = 'sbx_free'

interface Setup {
  readonly fetch: typeof fetch
  readonly client: PageClient
  readonly recorder: StartRecorder
}

interface Case {
  readonly title: string
  /** Prepares the world and records its states; the last request is the one of the test. */
  readonly run: (setup: Setup) => Promise<unknown>
  /** What the test must contain. */
  readonly contains: RegExp
}

const authorization = `Bearer ${apiKey}`
const jsonHeaders = { authorization, 'content-type': 'application/json' }
const get = (path: string) => new Request(`${origin}/v1${path}`, { headers: { authorization } })
const patch = (quantity: number) =>
  new Request(`${origin}/v1/inventory/7`, {
    method: 'PATCH',
    headers: jsonHeaders,
    body: JSON.stringify({ quantity }),
  })

const cases: readonly Case[] = [
  {
    title: 'a request after a recorded state that later requests have changed',
    async run({ fetch, recorder }) {
      await fetch(patch(3))
      await recorder.record()
      await fetch(get('/inventory'))
    },
    contains: /the state before the request\..*quantity: 3/s,
  },
  {
    title: 'the use of a fault that occurs once',
    async run({ fetch, client, recorder }) {
      await client.send('addFault', { body: { type: 'status', status: 503, atMost: 1 } })
      await recorder.record()
      await fetch(get('/inventory'))
    },
    contains: /responds with 503 service_unavailable/,
  },
  {
    title: 'a connection that a fault resets',
    async run({ fetch, client, recorder }) {
      await client.send('addFault', { body: { type: 'reset', atMost: 1 } })
      await recorder.record()
      await fetch(get('/inventory')).catch(() => {})
    },
    contains: /rejects\.toThrow/,
  },
  {
    title: 'a request that exceeds the quota, after requests that the test repeats',
    async run({ fetch, client, recorder }) {
      await client.send('changeQuota', { body: { minute: { remaining: 1 } } })
      await recorder.record()
      await fetch(patch(5))
      await fetch(get('/inventory'))
    },
    contains: /before the requests that the test repeats.*const earlier/s,
  },
  {
    title: 'a request before the first recorded state, from the scenario',
    async run({ fetch, recorder }) {
      await fetch(patch(3))
      await fetch(get('/inventory'))
      await recorder.record()
    },
    contains: /const scenario = 'default'.*const earlier/s,
  },
  {
    title: 'a request of a changed world that no recorded state precedes, from the current state',
    async run({ fetch, client, recorder }) {
      await client.send('putScenario', { body: { name: 'own', extends: 'low-stock' } })
      await fetch(get('/pets/77'))
      await recorder.record()
    },
    contains: /at the time of this copy, after the request/,
  },
  {
    title: 'a request after the start of another scenario, which empties the journal',
    async run({ fetch, client, recorder }) {
      await fetch(get('/inventory'))
      await recorder.record()
      await client.send('putScenario', { body: 'nearly-limited' })
      await recorder.record()
      await fetch(get('/inventory'))
    },
    contains: /the state before the request\..*responds with 200/s,
  },
  {
    title: 'a request right after the start of another scenario, not from a state of the former',
    async run({ fetch, client, recorder }) {
      await recorder.record()
      await client.send('putScenario', { body: 'empty-store' })
      await fetch(get('/pets/7'))
    },
    contains: /const scenario = 'empty-store'/,
  },
  {
    title: 'a request after the start of several scenarios',
    async run({ fetch, client, recorder }) {
      await recorder.record()
      await client.send('putScenario', { body: ['empty-store', 'sunset-soon'] })
      await fetch(get('/pets/7'))
    },
    contains: /const scenario = \['empty-store', 'sunset-soon'\] as const/,
  },
  {
    title: 'a body that is not JSON',
    async run({ fetch, recorder }) {
      await recorder.record()
      const body = "{ it's"
      await fetch(
        new Request(`${origin}/v1/inventory/7`, { method: 'PATCH', headers: jsonHeaders, body }),
      )
    },
    contains: /responds with 400/,
  },
  {
    title: 'a response with an int64',
    async run({ fetch, client, recorder }) {
      await client.send('putScenario', { body: 'int64-ids' })
      await recorder.record()
      await fetch(get('/inventory'))
    },
    contains: /response\.text\(\)\)\.toBe/,
  },
]

/** A copied test of each case. */
const copies: { readonly title: string; readonly code: string; readonly contains: RegExp }[] = []

for (const { title, run, contains } of cases) {
  const { fetch } = await openSandbox()
  const access = { apiKey, environment: 'production' } as const
  const client = new PageClient(control, access, fetch)
  const recorder = new StartRecorder(client)
  await run({ fetch, client, recorder })
  const entries = await client.send('listRequests')
  const [entry] = entries
  if (!entry) throw new Error(`${title}: there is no request`)
  const { scenario, generation } = await client.send('getOverview')
  const { points } = recorder
  const world = { client, points, entries, scenario, generation: generation }
  const code = await createTest(entry, world, apiKey)
  copies.push({ title, code, contains })
  if (title.includes('fault that occurs once')) {
    // In the state after the request, the fault is used up.
    const { text: json } = await client.request('getSnapshot')
    const late = toTest(entry, { scenario: { json }, earlier: [], description: 'later' }, apiKey)
    copies.push({ title, code: late.replace('test(', 'test.fails('), contains: /test\.fails/ })
  }
}

/** Vitest transforms the copied tests like those of the package, so that they import its source. */
const folder = new URL('../../dist/copied-tests/', import.meta.url)
await mkdir(folder, { recursive: true })
for (const [at, { code }] of copies.entries()) {
  const file = new URL(`${at}.ts`, folder)
  await writeFile(file, code)
  // Adds the test to this file.
  await import(file.href)
}

it.each(copies)('copies $title', ({ code, contains }) => {
  expect(code).toMatch(contains)
})
