import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { connect, type RemoteWorld } from '../../../src/connect.js'
import { createSandbox, type World } from '../../../src/index.js'
import { expect as playwrightExpect } from '../../../src/playwright.js'
import '../../../src/vitest.js'

const url = 'https://api.petstore.example'
const apiKey = 'sbx_enterprise_default_matchers'

/** A world in this process, a remote handle for it, and a client of the service. */
interface Both {
  readonly local: World
  readonly remote: RemoteWorld
  send(path: string, init?: RequestInit): Promise<Response>
}

async function open(journalCapacity = 500): Promise<Both> {
  const sandbox = await createSandbox({ journalCapacity })
  const remote = await connect({ url, apiKey, fetch: sandbox.fetch })
  onTestFinished(() => remote.close())
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const send = (path: string, init?: RequestInit) =>
    sandbox.fetch(`${url}/v1${path}`, { ...init, headers })
  return { local: await sandbox.worldFor(apiKey), remote, send }
}

/** Opens a world that has received six requests, of which its journal retains as many as its capacity. */
async function openFull(capacity?: number): Promise<Both> {
  const both = await open(capacity)
  const setQuantity = (quantity: unknown) =>
    both.send('/inventory/1', { method: 'PATCH', body: JSON.stringify({ quantity }) })
  await setQuantity(5)
  await setQuantity(-1)
  await both.send('/inventory')
  await setQuantity(7)
  await both.send('/pets/1')
  await both.send('/pets/404')
  return both
}

/** Returns the message with which an assertion fails. Empty if it passes. */
async function messageOf(assertion: () => unknown): Promise<string> {
  try {
    await assertion()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The assertions with the `expect` of a test runner. A remote handle is passed as a world. */
function createAssertions(
  assert: typeof expect,
): Record<string, [(world: World) => unknown, string]> {
  const misspelled = 'listInventry' as 'listInventory' // as from JavaScript
  return {
    toHaveReceived: [(world) => assert(world).toHaveReceived('updateInventory'), ''],
    times: [(world) => assert(world).toHaveReceived('updateInventory', { times: 3 }), ''],
    'a matcher': [(world) => assert(world).toHaveReceived({ code: expect.any(String) }), ''],
    'the world of an object': [(world) => assert({ world }).toHaveReceived('getPet'), ''],
    not: [(world) => assert(world).not.toHaveReceived('listOrders'), ''],
    order: [(world) => assert(world).toHaveReceivedInOrder(['listInventory', 'getPet']), ''],
    'nothing unmatched': [(world) => assert(world).toHaveReceivedNothingUnmatched(), ''],
    'a wrong number': [
      (world) => assert(world).toHaveReceived('updateInventory', { times: 2 }),
      'expected the world to receive updateInventory 2 times, but received it 3 times.',
    ],
    'a wrong body': [
      (world) => assert(world).toHaveReceived('getPet', { body: { name: 'Rex' } }),
      '       not counted: body is missing, wanted {"name":"Rex"}',
    ],
    'a wrong not': [
      (world) => assert(world).not.toHaveReceived('updateInventory'),
      'expected the world not to receive updateInventory, but it did.\n\n  #1 PATCH /inventory/1 → 200',
    ],
    'a wrong order': [
      (world) => assert(world).toHaveReceivedInOrder(['listInventory', 'listOrders']),
      'but after #3 there is no listOrders.\n\nRequests received by this world (6):',
    ],
    'a wrong not unmatched': [
      (world) => assert(world).not.toHaveReceivedNothingUnmatched(),
      'expected a request that matches no operation, but there was none.',
    ],
    'an unknown operation': [
      (world) => assert(world).not.toHaveReceived(misspelled),
      'did you mean "listInventory"?',
    ],
    'an unknown field': [
      (world) => assert(world).not.toHaveReceived('getPet', { statuss: 200 } as object),
      'the expectation has no field "statuss"; did you mean "status"?',
    ],
  }
}

/** The assertions on a journal that has dropped two of six entries, and how each fails. */
function createDroppedAssertions(
  assert: typeof expect,
): Record<string, [(world: World) => unknown, string]> {
  const dropped =
    'the journal has dropped 2 of 6 entries; to retain more than 4, raise journalCapacity'
  return {
    'a retained request': [(world) => assert(world).toHaveReceived('updateInventory'), ''],
    'a retained order': [
      (world) => assert(world).toHaveReceivedInOrder(['listInventory', 'getPet']),
      '',
    ],
    'more requests than expected': [
      (world) => assert(world).toHaveReceived('getPet', { times: 1 }),
      'but received it 2 times.',
    ],
    times: [(world) => assert(world).toHaveReceived('getPet', { times: 2 }), dropped],
    'not times': [(world) => assert(world).not.toHaveReceived('getPet', { times: 3 }), dropped],
    atMost: [(world) => assert(world).toHaveReceived('getPet', { atMost: 2 }), dropped],
    absence: [(world) => assert(world).not.toHaveReceived('listOrders'), dropped],
    'the absence of an order': [
      (world) => assert(world).not.toHaveReceivedInOrder(['getPet', 'listInventory']),
      dropped,
    ],
    'nothing unmatched': [(world) => assert(world).toHaveReceivedNothingUnmatched(), dropped],
  }
}

const runners = { vitest: expect, Playwright: playwrightExpect as unknown as typeof expect } // both have the matchers

describe.each(Object.entries(runners))('the matchers of %s', (_, assert) => {
  test.each(Object.entries(createAssertions(assert)))(
    'judge a remote world as one in this process: %s',
    async (_name, [assertion, message]) => {
      const { local, remote } = await openFull()
      const expected = await messageOf(() => assertion(local))
      const found = await messageOf(() => assertion(remote as unknown as World))
      expect(found).toBe(expected)
      if (message === '') expect(found).toBe('')
      else expect(found).toContain(message)
    },
  )

  test.each(Object.entries(createDroppedAssertions(assert)))(
    'judge a remote journal that has dropped entries as one in this process: %s',
    async (_name, [assertion, message]) => {
      const { local, remote } = await openFull(4)
      const expected = await messageOf(() => assertion(local))
      const found = await messageOf(() => assertion(remote as unknown as World))
      expect(found).toBe(expected)
      if (message === '') expect(found).toBe('')
      else expect(found).toContain(message)
    },
  )

  test('reject if the sandbox cannot be reached', async () => {
    const { remote } = await openFull()
    remote.close()
    const assertion = () => assert(remote).not.toHaveReceived('listOrders')
    expect(await messageOf(assertion)).toBe('this handle is closed; connect again')
  })
})

test('a failed assertion lists the pending requests of a remote world, or names the one that may match', async () => {
  const { local, remote, send } = await open()
  await remote.faults.add({ type: 'delay', delayMs: 60_000 })
  const client = new AbortController()
  const sending = send('/pets/7', { signal: client.signal }).catch(() => {})
  while ((await remote.requests.pending()).length === 0);
  for (const [operation, wanted] of [
    ['listOrders', 'Pending requests:\n  GET /pets/7, getPet'],
    [
      'getPet',
      'cannot tell whether the world received getPet: GET /pets/7 is pending; await it first',
    ],
  ] as const) {
    const message = await messageOf(() => expect(remote).toHaveReceived(operation))
    expect(message).toContain(wanted)
    expect(message).toBe(await messageOf(() => expect(local).toHaveReceived(operation)))
  }
  client.abort()
  await sending
})

test('requests that arrive during an assertion do not appear as dropped ones', async () => {
  const { remote, send } = await open()
  const sending: Promise<unknown>[] = []
  const wanted = { status: 429 }
  for (let sent = 0; sent < 40; sent += 1) {
    sending.push(send('/inventory'))
    await expect(remote).not.toHaveReceived('listInventory', wanted)
    expect(await remote.requests.count(wanted)).toBe(0)
  }
  await Promise.all(sending)
  await expect(remote).toHaveReceived('listInventory', { times: 40 })
})

test('the assertions on a remote world have the type of a promise', () => {
  const check = ({ local, remote }: Both) => {
    expectTypeOf(expect(remote).toHaveReceived('getPet')).toEqualTypeOf<Promise<void>>()
    expectTypeOf(expect(remote).not.toHaveReceived({})).toEqualTypeOf<Promise<void>>()
    const inOrder = expect({ world: remote }).toHaveReceivedInOrder(['getPet'])
    expectTypeOf(inOrder).toEqualTypeOf<Promise<void>>()
    expectTypeOf(expect(local).toHaveReceived('getPet')).toEqualTypeOf<void>()
    expectTypeOf(playwrightExpect(remote).toHaveReceived({})).toEqualTypeOf<Promise<void>>()
    const unmatched = playwrightExpect(remote).not.toHaveReceivedNothingUnmatched()
    expectTypeOf(unmatched).toEqualTypeOf<Promise<void>>()
    expectTypeOf(playwrightExpect(local).toHaveReceived('getPet')).toEqualTypeOf<void>()
    // @ts-expect-error: statuss is not a field of the expectation.
    return expect(remote).toHaveReceived('getPet', { statuss: 200 })
  }
  expect(check).toBeTypeOf('function')
})
