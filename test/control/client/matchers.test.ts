import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { connect, type RemoteWorld } from '../../../src/connect.js'
import { createSandbox, type RequestQuery, type World } from '../../../src/index.js'
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

type Row = readonly [title: string, (world: World) => unknown, message: string, capacity?: number]

/**
 * The assertions with the `expect` of a test runner, with a part of the message with which each
 * fails. A remote handle is passed as a world. The golden file `messages` has the whole messages.
 */
function createAssertions(assert: typeof expect): readonly Row[] {
  const received = (...args: Parameters<ReturnType<typeof assert>['toHaveReceived']>) => {
    return (world: World) => assert(world).toHaveReceived(...args)
  }
  const notReceived = (...args: Parameters<ReturnType<typeof assert>['toHaveReceived']>) => {
    return (world: World) => assert(world).not.toHaveReceived(...args)
  }
  const unmatched = (world: World) => assert(world).toHaveReceivedNothingUnmatched()
  const inOrder = (...queries: RequestQuery[]) => {
    return (world: World) => assert(world).toHaveReceivedInOrder(queries)
  }
  const notInOrder = (...queries: RequestQuery[]) => {
    return (world: World) => assert(world).not.toHaveReceivedInOrder(queries)
  }
  const [invalid, last] = [{ status: 400 }, { body: { quantity: 7 } }]
  const dropped = 'dropped 2 of 6 entries; to retain more than 4, raise journalCapacity'
  return [
    ['times', received('updateInventory', { times: 3 }), ''],
    ['times of a filter', received('updateInventory', { times: 2, status: 200 }), ''],
    ['no times', received('listOrders', { times: 0 }), ''],
    ['atLeast', received('updateInventory', { atLeast: 2 }), ''],
    ['atLeast and atMost', received('updateInventory', { atLeast: 3, atMost: 3 }), ''],
    ['atMost', received('listOrders', { atMost: 1 }), ''],
    ['not atLeast', notReceived('updateInventory', { atLeast: 4 }), ''],
    ['not atMost', notReceived('updateInventory', { atMost: 2 }), ''],
    ['the world of an object', (world) => assert({ world }).toHaveReceived('getPet'), ''],
    ['not', notReceived('listOrders'), ''],
    ['order', inOrder('listInventory', 'getPet'), ''],
    ['order of filters', inOrder(invalid, 'listInventory', last), ''],
    ['not the reverse order', notInOrder('getPet', 'listInventory'), ''],
    ['not the reverse order of filters', notInOrder(last, invalid), ''],
    ['not one request twice', notInOrder('listInventory', 'listInventory'), ''],
    ['nothing unmatched', unmatched, ''],
    ['a wrong number', received('updateInventory', { times: 2 }), 'but received it 3 times.'],
    ['a wrong not', notReceived('updateInventory'), 'not to receive updateInventory, but it did.'],
    ['a wrong order', inOrder('listInventory', 'listOrders'), 'there is no listOrders.'],
    ['an unknown field', notReceived('getPet', { statuss: 200 } as object), 'did you mean'],
    ['a retained request', received('updateInventory'), '', 4],
    ['a retained order', inOrder('listInventory', 'getPet'), '', 4],
    ['too many retained', received('getPet', { times: 1 }), 'but received it 2 times.', 4],
    ['times after dropped ones', received('getPet', { times: 2 }), dropped, 4],
    ['not times after dropped ones', notReceived('getPet', { times: 3 }), dropped, 4],
    ['atMost after dropped ones', received('getPet', { atMost: 2 }), dropped, 4],
    ['not after dropped ones', notReceived('listOrders'), dropped, 4],
    ['no order after dropped ones', notInOrder('getPet', 'listInventory'), dropped, 4],
    ['nothing unmatched after dropped ones', unmatched, dropped, 4],
  ]
}

const runners = { vitest: expect, Playwright: playwrightExpect as unknown as typeof expect } // both have the matchers

describe.each(Object.entries(runners))('the matchers of %s', (_, assert) => {
  test.for(createAssertions(assert))(
    'judge a remote world as one in this process: %s',
    async ([, assertion, message, capacity]) => {
      const { local, remote } = await openFull(capacity)
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
