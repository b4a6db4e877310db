import { createSandbox, type InProcessSandbox, type World } from 'petstore-sandbox'
import { connect } from 'petstore-sandbox/connect'
import { createSandboxServer } from 'petstore-sandbox/server'
import 'petstore-sandbox/vitest'
import { expect } from 'vitest'
import { closedUrl } from '../../cli/world-support.js'
import { serve } from '../../support/server.js'
import { startMs } from '../../support/suite.js'
import { openServer } from '../exchange.js'
import type { Subject } from '../subject.js'

const api = 'https://api.petstore.example/v1'
const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

/** Messages of errors that programs receive: what a developer reads when a test fails. */
export const messages: Subject = {
  name: 'messages',
  async produce() {
    return {
      matchers: await assertEach(matcherCases, openUsed),
      matchersOfUnusedWorld: await assertEach(emptyCases, openUnused),
      matchersInDoubt: await assertEach(doubtCases, openDropped),
      requests: await assertEach(requestCases, openUsed),
      worlds: await assertEach(worldCases, openUsed),
      options: await assertEach(optionCases, async () => undefined),
      remote: await failRemotely(),
    }
  },
}

type Cases<Value> = Readonly<Record<string, (value: Value) => unknown>>

/** Runs each case on a value of its own, and returns the lines of the error. */
async function assertEach<Value>(cases: Cases<Value>, open: () => Promise<Value>) {
  const produced: Record<string, unknown> = {}
  for (const [title, run] of Object.entries(cases)) {
    const value = await open()
    produced[title] = await readError(async () => run(value))
  }
  return produced
}

async function readError(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run()
  } catch (error) {
    const { name, message, code, status } = error as Error & { code?: string; status?: number } // of a RemoteError
    return { name, code, status, message: message.split('\n') }
  }
  return 'no error'
}

async function openUnused(): Promise<InProcessSandbox> {
  return createSandbox({ now: () => startMs })
}

/** Opens a sandbox whose world has received requests. */
async function openUsed(journalCapacity = 500): Promise<InProcessSandbox> {
  const sandbox = await createSandbox({ now: () => startMs, journalCapacity })
  const send = (path: string, body?: unknown) =>
    sandbox.fetch(`${api}${path}`, {
      headers: { ...headers, 'X-Trace': 't-1' },
      ...(body !== undefined && { method: 'PATCH', body: JSON.stringify(body) }),
    })
  await send('/inventory?page=2')
  await send('/inventory/1', { quantity: 5 })
  await send('/inventory/1', { quantity: -1 })
  await send('/inventry/1', { quantity: 6 })
  await send('/store/orders')
  return sandbox
}

function openDropped(): Promise<InProcessSandbox> {
  return openUsed(2)
}

const matcherCases: Cases<InProcessSandbox> = {
  'not received': (sandbox) => expect(sandbox).toHaveReceived('sendMessage'),
  'received with another body': (sandbox) =>
    expect(sandbox).toHaveReceived('updateInventory', { status: 200, body: { quantity: 6 } }),
  'received with other headers and query': (sandbox) =>
    expect(sandbox).toHaveReceived('listInventory', {
      headers: { 'x-trace': 't-2' },
      query: { page: '2' },
    }),
  'received another number of times': (sandbox) =>
    expect(sandbox).toHaveReceived('updateInventory', { times: 3 }),
  'received too often': (sandbox) =>
    expect(sandbox).toHaveReceived('updateInventory', { atLeast: 0, atMost: 1 }),
  'an asymmetric matcher': (sandbox) =>
    expect(sandbox).toHaveReceived('updateInventory', { body: { quantity: expect.any(String) } }),
  'not, but received': (sandbox) => expect(sandbox).not.toHaveReceived('listOrders'),
  'another order': (sandbox) =>
    expect(sandbox).toHaveReceivedInOrder(['listOrders', 'listInventory']),
  'not in this order, but it was': (sandbox) =>
    expect(sandbox).not.toHaveReceivedInOrder(['listInventory', { status: 400 }]),
  unmatched: (sandbox) => expect(sandbox).toHaveReceivedNothingUnmatched(),
  'an unknown operation': (sandbox) => expect(sandbox).toHaveReceived(unknown('listInventry')),
  'an unknown field': (sandbox) =>
    expect(sandbox).toHaveReceived('listInventory', unknown({ statuss: 200 })),
  'an unknown code': (sandbox) =>
    expect(sandbox).toHaveReceived('listInventory', unknown({ code: 'pet_not_fond' })),
  'a negative number': (sandbox) => expect(sandbox).toHaveReceived('listOrders', { times: -1 }),
  'two numbers': (sandbox) =>
    expect(sandbox).toHaveReceived('listOrders', { times: 1, atLeast: 1 }),
  'a range without values': (sandbox) =>
    expect(sandbox).toHaveReceived('listOrders', { atLeast: 2, atMost: 1 }),
  'an empty order': (sandbox) => expect(sandbox).toHaveReceivedInOrder([]),
  'no world': () => expect(unknown('sbx_free')).toHaveReceived('listOrders'),
}

const emptyCases: Cases<InProcessSandbox> = {
  'not received': (sandbox) => expect(sandbox).toHaveReceived('listInventory'),
  'not, and none was': (sandbox) => expect(sandbox).not.toHaveReceivedNothingUnmatched(),
  'wait for a request': ({ world }) => world.requests.waitFor('listInventory', { timeoutMs: 0 }),
}

const doubtCases: Cases<InProcessSandbox> = {
  'received with a body': (sandbox) =>
    expect(sandbox).toHaveReceived('updateInventory', { body: { quantity: 5 } }),
  'in order': (sandbox) =>
    expect(sandbox).toHaveReceivedInOrder(['updateInventory', 'listInventory']),
  count: ({ world }) => world.requests.count({ path: '/inventory/1' }),
  unmatched: (sandbox) => expect(sandbox).toHaveReceivedNothingUnmatched(),
}

const requestCases: Cases<InProcessSandbox> = {
  'wait for more requests': ({ world }) =>
    world.requests.waitFor('updateInventory', { atLeast: 3, timeoutMs: 0 }),
  'wait for a request without an operation': ({ world }) =>
    world.requests.waitFor({ path: '/inventry/2' }, { timeoutMs: 0 }),
  'wait for no time': ({ world }) => world.requests.waitFor('listOrders', { timeoutMs: -1 }),
  'wait with an unknown field': ({ world }) =>
    world.requests.waitFor('listOrders', unknown({ timeout: 5 })),
  'find an unknown operation': ({ world }) => world.requests.find(unknown('updateInventry')),
  'find an unknown field': ({ world }) => world.requests.find(unknown({ methods: 'GET' })),
  'find a status that is none': ({ world }) => world.requests.find(unknown({ status: '4xx' })),
  'find nothing': ({ world }) => world.requests.find(unknown(null)),
}

const worldCases: Cases<InProcessSandbox> = {
  // @ts-expect-error: the types do not know this name.
  'use an unknown scenario': ({ world }) => world.use('low-stok'),
  'use an invalid scenario': ({ world }) => world.use({ name: 'mine', seed: 1.5, draws: -1 }),
  'a key without a form': (sandbox) => sandbox.worldFor('gold'),
  'a revoked key': (sandbox) => sandbox.worldFor('sbx_revoked'),
  'no key': (sandbox) => sandbox.worldFor(unknown(undefined)),
  'an unknown environment': (sandbox) => sandbox.worldFor('sbx_free', unknown('test')),
  'advance by a month': ({ world }) => world.clock.advance('P1M'),
  'freeze at noon': ({ world }) => world.clock.freeze('noon'),
  'the quota of no plan': ({ world }) => world.quota.account('gold').set({ minute: { used: 0 } }),
  'a quota of both': ({ world }) =>
    world.quota.account('free').set(unknown({ minute: { used: 0, remaining: 1 } })),
  'an unknown fault': ({ world }) => world.faults.add(unknown({ type: 'explode' })),
  'a fault of no operation': ({ world }) =>
    world.faults.add(unknown({ type: 'reset', operation: 'getPets' })),
  'a pet without a name': ({ world }) => world.db.pets.add(unknown({ petId: 1 })),
  'a pet that exists': ({ world }) => world.db.pets.add({ petId: '1', name: 'Twin' }),
  'a pet that does not exist': ({ world }) => world.db.pets.change('99', { quantity: 1 }),
  'an order that does not exist': ({ world }) => world.db.orders.remove('99'),
  'a snapshot with a wrong name': ({ world }: { world: World }) => world.snapshot('Not Kebab'),
}

const optionCases: Cases<undefined> = {
  'no object': () => createSandbox(unknown('low-stock')),
  'an unknown option': () => createSandbox(unknown({ scenari: 'low-stock' })),
  // @ts-expect-error: the types do not know this name.
  'an unknown scenario': () => createSandbox({ scenario: 'low-stok' }),
  'an invalid scenario': () => createSandbox({ scenario: unknown({ name: 'mine', pets: {} }) }),
  'too many scenarios': () => createSandbox({ scenario: Array(17).fill('default') }),
  'wrong types': () => createSandbox(unknown({ baseUrl: 5, now: 5, maxWorlds: 0 })),
  'one address twice': () => createSandbox({ baseUrl: '/v1', stagingBaseUrl: '*/v1/' }),
  'a time that is none': () => createSandbox({ now: () => Number.NaN }),
  'a capacity beyond the maximum': () => createSandbox({ journalCapacity: 100_001 }),
  'an unknown limit': () => createSandboxServer(unknown({ limits: { connection: 5 } })),
  'a limit of 0': () => createSandboxServer({ limits: { connections: 0 } }),
  'a secret that is short': () => createSandboxServer({ access: { keySecrets: ['short'] } }),
  'a token that is short': () => createSandboxServer({ access: { control: 'short' } }),
  'handlers that are none': () => createSandboxServer(unknown({ handlers: ['x'] })),
  'a host with a port': () => createSandboxServer({ allowedHosts: ['shop.example:1'] }),
  'a URL without a protocol': () => createSandboxServer({ publicUrl: 'shop.example' }),
  'a directory that is missing': () => createSandboxServer({ scenarioDirectory: './none' }),
}

/** An invalid value, as from JavaScript. */
function unknown(value: unknown): never {
  return value as never
}

async function failRemotely() {
  const { url } = await openServer()
  const page = await serve((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>')
  })
  const redirect = await serve((_, response) => {
    response.writeHead(307, { Location: 'https://other.example/' }).end()
  })
  const apiKey = 'sbx_free_default_messages'
  const world = await connect({ url, apiKey })
  const cases: Cases<undefined> = {
    'no server': () => connect({ url: closedUrl, apiKey }),
    'another server': () => connect({ url: page, apiKey }),
    'a redirect': () => connect({ url: redirect, apiKey }),
    'the URL of the service': () => connect({ url: `${url}/v1`, apiKey }),
    'an invalid key': () => connect({ url, apiKey: 'sbx_gold_default_secret' }),
    'no key': () => connect(unknown({ url })),
    'no URL': () => connect({ url: 'nonsense', apiKey }),
    'a password in the URL': () => connect({ url: 'http://me:secret@127.0.0.1', apiKey }),
    'an unknown option': () => connect(unknown({ url, apiKey, timeout: 5 })),
    'a pet that does not exist': () => world.db.pets.remove('404'),
    'an id that is a path': () => world.db.pets.remove('../faults'),
    // @ts-expect-error: the types do not know this name.
    'an unknown scenario': () => world.use('low-stok'),
    'an invalid fault': () => world.faults.add(unknown({ type: 'explode' })),
    'an unknown operation': () => world.requests.count(unknown('listInventry')),
    'a time that is none': () => world.clock.freeze('noon'),
    'a matcher': () => expect(world).toHaveReceived('listInventory'),
    // @ts-expect-error: the types do not know this name.
    'a fork of an unknown scenario': () => world.fork({ scenario: 'low-stok' }),
  }
  const produced = await assertEach(cases, async () => undefined)
  world.close()
  return { ...produced, 'a closed handle': await readError(async () => world.clock.now()) }
}
