import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { runners } from '../../src/console/copies/copy-test.js'
import { createTest } from '../../src/console/copies/create-test.js'
import { PageClient } from '../../src/console/session/client.js'
import { addPoint, type Point, takePoint } from '../../src/console/session/session.js'
import { runTests } from '../support/test-runners.js'
import { openSandbox, origin, readServed } from './support.js'

const exec = promisify(execFile)
const { control } = readServed()
const apiKey = 'sbx_free'

interface Setup {
  readonly fetch: typeof fetch
  readonly client: PageClient
  /** Records the state of the world. */
  readonly record: () => Promise<void>
}

interface Case {
  readonly title: string
  /** Prepares the world and records its states; the last request is the request of the test. */
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
    async run({ fetch, record }) {
      await fetch(patch(3))
      await record()
      await fetch(get('/inventory'))
    },
    contains:
      /the state before the request\..*use\("default"|extends: \[ "default" \].*pets\.change\(7, \{ quantity: 3 \}\)/s,
  },
  {
    title: 'the use of a fault that occurs once',
    async run({ fetch, client, record }) {
      await client.send('addFault', { body: { type: 'status', status: 503, atMost: 1 } })
      await record()
      await fetch(get('/inventory'))
    },
    contains: /responds with 503 service_unavailable/,
  },
  {
    title: 'a connection that a fault resets',
    async run({ fetch, client, record }) {
      await client.send('addFault', { body: { type: 'reset', atMost: 1 } })
      await record()
      await fetch(get('/inventory')).catch(() => {})
    },
    contains: /rejects\.toThrow/,
  },
  {
    title: 'a request that exceeds the quota, after requests that the test repeats',
    async run({ fetch, client, record }) {
      await client.send('changeQuota', { body: { minute: { remaining: 1 } } })
      await record()
      await fetch(patch(5))
      await fetch(get('/inventory'))
    },
    contains: /before the requests that the test repeats.*\.catch\(\(\) => \{\}\)/s,
  },
  {
    title: 'a request before the first recorded state, from the scenario',
    async run({ fetch, record }) {
      await fetch(patch(3))
      await fetch(get('/inventory'))
      await record()
    },
    contains: /use\("default"\).*\.catch\(/s,
  },
  {
    title: 'a request of a changed world that no recorded state precedes, from the current state',
    async run({ fetch, client, record }) {
      await client.send('putScenario', { body: { name: 'own', extends: 'low-stock' } })
      await fetch(get('/pets/77'))
      await record()
    },
    contains: /at the time of this copy, after the request/,
  },
  {
    title: 'a request after the start of another scenario, which empties the journal',
    async run({ fetch, client, record }) {
      await fetch(get('/inventory'))
      await record()
      await client.send('putScenario', { body: 'nearly-limited' })
      await record()
      await fetch(get('/inventory'))
    },
    contains: /responds with 200.*the state before the request\..*use\("nearly-limited"\)/s,
  },
  {
    title: 'a request right after the start of scenarios, not from an earlier state',
    async run({ fetch, client, record }) {
      await record()
      await client.send('putScenario', { body: ['empty-store', 'sunset-soon'] })
      await fetch(get('/pets/7'))
    },
    contains: /use\(\[ "empty-store", "sunset-soon" \]\)/,
  },
  {
    title: 'a request after the control API has added, changed and removed records',
    async run({ fetch, client, record }) {
      await client.send('putScenario', { body: 'low-stock' })
      await client.send('removePet', { params: { petId: 3 } })
      await client.send('changePet', { params: { petId: 7 }, body: { status: 'sold', own: [1] } })
      await client.send('addPet', {
        json: '{"petId":"9007199254740993","name":"Rex","quantity":1}',
      })
      await client.send('removeOrder', { params: { id: 1001 } })
      await record()
      await fetch(get('/pets/7'))
    },
    contains:
      /use\("low-stock"\).*pets\.remove\(3\).*pets\.change\(7, \{\s+status: "sold",\s+own: \[ 1 \]\s+\}\).*orders\.remove\(1001\)/s,
  },
  {
    title: 'a request of a banned key whose scenario states a quota',
    async run({ fetch, client, record }) {
      await client.send('putScenario', { body: 'nearly-limited' })
      await client.send('changeQuota', { body: { ban: { seconds: 300 } } })
      await record()
      await fetch(get('/inventory'))
    },
    contains:
      /extends: \[ "nearly-limited" \],\s+clock: .*quota: \{\s+free: .*key_banned|rate_limit/s,
  },
  {
    title: 'a body that is not JSON',
    async run({ fetch, record }) {
      await record()
      const body = "{ it's"
      await fetch(
        new Request(`${origin}/v1/inventory/7`, { method: 'PATCH', headers: jsonHeaders, body }),
      )
    },
    contains: /responds with 400/,
  },
  {
    title: 'a response with an int64',
    async run({ fetch, client, record }) {
      await client.send('putScenario', { body: 'int64-ids' })
      await record()
      await fetch(get('/inventory'))
    },
    contains: /response\.text\(\)\)\.toBe/,
  },
]

/** A copied test of each case. */
const copies: { title: string; codes: string[]; contains: RegExp }[] = []

for (const { title, run, contains } of cases) {
  const { fetch } = await openSandbox()
  const access = { apiKey, environment: 'production' } as const
  const client = new PageClient(control, access, fetch)
  let current: readonly Point[] = []
  const record = async () => {
    const point = await takePoint(client, current)
    if (point) current = addPoint(current, point)
  }
  await run({ fetch, client, record })
  const entries = await client.send('listRequests')
  const [entry] = entries
  if (!entry) throw new Error(`${title}: there is no request`)
  const overview = await client.send('getOverview')
  const world = { access, client, points: { current }, journal: { entries }, overview }
  const codes = await Promise.all(runners.map((runner) => createTest(entry, world, runner)))
  copies.push({ title, codes, contains })
}

/** Vitest transforms the copied tests like the tests of the package, so that they import its source. */
const folder = new URL('../../dist/copied-tests/unit/', import.meta.url)
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const [at, { codes }] of copies.entries()) {
  const names = [`${at}.ts`, `${at}.spec.ts`, `${at}.test.mjs`]
  for (const [index, name] of names.entries()) {
    await writeFile(new URL(name, folder), codes[index] ?? '')
  }
  // Adds the test to this file.
  await import(new URL(`${at}.ts`, folder).href)
}

it.each(copies)('copies $title', ({ title, codes, contains }) => {
  expect(codes[0]).toMatch(contains)
  // Only a scenario that is not built in is copied as a whole.
  const length = codes[0]?.split('\n').length ?? 0
  expect(length > 70).toBe(title.includes('a changed world'))
})

/** Copies with each form of an expectation. */
const sample = [0, 1, 2, 3, copies.length - 1]

it('copies tests that pass with node:test', async () => {
  const names = sample.map((at) => `${at}.test.mjs`)
  const { stdout } = await exec('node', ['--test', ...names], { cwd: fileURLToPath(folder) })
  expect(stdout).toMatch(/pass 5\b/)
}, 60_000)

it('copies tests that pass with Playwright', async () => {
  const config = `export default { testMatch: /\\/(${sample.join('|')})\\.spec/, reporter: 'line' }`
  await writeFile(new URL('playwright.config.mjs', folder), config)
  const args = ['test', '--config', fileURLToPath(new URL('playwright.config.mjs', folder))]
  expect((await runTests('Playwright', args)).output).toContain('5 passed')
}, 120_000)
