import { expect, test } from 'vitest'
import type { Client } from '../../src/engine/client.js'
import type { ApiRequest } from '../../src/engine/exchange.js'
import { respond } from '../../src/engine/respond.js'
import { createSandbox, type Scenario } from '../../src/index.js'
import { passTurns } from '../../src/service/timers.js'

/** Opens a sandbox that receives requests over HTTP, with a log of what they ask of the client. */
async function open(onTurn: () => void = () => {}, parts: Partial<Scenario> = {}) {
  const apiKeys = [{ key: 'shop-key', plan: 'free' }] as const
  const { core, world } = await createSandbox({ scenario: { name: 'shop', apiKeys, ...parts } })
  const log: string[] = []
  const client: Client = {
    address: '192.0.2.1',
    isLocal: true,
    worldBytes: 0,
    worldLimit: Infinity,
    chargeWorld: () => {},
    chargeControlRequest: () => log.push('charge'),
    takeTurn: async () => {
      log.push('turn')
      onTurn()
    },
    prepare: (task) => {
      log.push('prepare')
      return task()
    },
    openStream: () => {
      log.push('open')
      return () => log.push('close')
    },
  }
  const request: Omit<ApiRequest, 'method' | 'path'> = {
    address: 'control',
    query: '',
    header: (name) => (name === 'authorization' ? 'Bearer shop-key' : undefined),
    forEachHeader: () => {},
    client,
    isAborted: false,
    onAbort: () => {},
    onSent: (listener) => listener(),
    readBody: () => undefined,
  }
  const send = (target: string, fields: Partial<ApiRequest> = {}) => {
    const [method = '', path = ''] = target.split(' ')
    return respond({ ...request, method, path, ...fields }, core)
  }
  return { core, world, log, send }
}

test.each([
  ['GET /clock', []],
  ['GET /report', ['prepare']],
  ['GET /events', ['open', 'close']],
  ['HEAD /events', []],
])('%s over HTTP waits for the turn of its client, then %j', async (target, uses) => {
  const { log, send } = await open()
  const { status, headers } = await send(target)
  expect(status).toBe(200)
  expect(log).toEqual(['charge', 'turn', ...uses])
  // nginx would buffer the events.
  expect(headers.includes('X-Accel-Buffering')).toBe(target.endsWith('/events'))
})

test('a control request that is aborted while it waits for its turn changes nothing', async () => {
  const { world, send } = await open()
  const { generation } = world
  expect(await send('POST /reset', { isAborted: true })).toMatchObject({ status: 0 })
  expect(world.generation).toBe(generation)
})

test('a key that is unlisted while its control request waits for its turn is rejected', async () => {
  const { core, world, send } = await open(() => world.replace(seed))
  const seed = await core.settings.library.prepare('default')
  expect(await send('POST /reset')).toMatchObject({ status: 401 })
})

test('each response to a control request has an id of its own', async () => {
  const { send } = await open()
  const sent = [await send('GET /clock'), await send('GET /clock')]
  const ids = sent.map(({ headers }) => headers[headers.indexOf('X-Request-Id') + 1])
  expect(ids).toEqual(['local-1', 'local-2'])
})

test.each([
  ['with a short body', 1, false, 0],
  ['with a short body, for which a test waits', 1, true, 1],
  ['with a long body', 400, false, 1],
])('a response %s is waited for until it is sent', async (_, count, isAwaited, unsent) => {
  const pets = Array.from({ length: count }, (_, at) => ({ petId: at, name: 'Rex', quantity: 1 }))
  const { world, send } = await open(() => {}, { pets })
  const waiting = isAwaited && world.requests.waitFor('listInventory')
  const sent: (() => void)[] = []
  const fields = { address: 'api', onSent: (listener: () => void) => sent.push(listener) } as const
  await send('GET /inventory', fields)
  expect(world.journal.unsent.size).toBe(unsent)
  await passTurns(5)
  for (const listener of sent) listener()
  await waiting
  expect(world.journal.unsent.size).toBe(0)
})
