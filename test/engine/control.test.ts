import { expect, test } from 'vitest'
import type { Client } from '../../src/engine/client.js'
import { respond } from '../../src/engine/respond.js'
import { createSandbox } from '../../src/index.js'
import { listRequest } from './support.js'

/** Opens a sandbox that receives control requests over HTTP, with a log of what they ask of the client. */
async function open(onTurn: () => void = () => {}) {
  const scenario = { name: 'shop', apiKeys: [{ key: 'shop-key', plan: 'free' }] } as const
  const { core, world } = await createSandbox({ scenario })
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
  const header = (name: string) => (name === 'authorization' ? 'Bearer shop-key' : undefined)
  const onSent = (listener: () => void) => listener()
  const send = (target: string, isAborted = false) => {
    const [method = '', path = '', query = ''] = target.split(/[ ?]/)
    const parts = { method, address: 'control', path, query, header, isAborted } as const
    return respond({ ...listRequest, ...parts, client, onSent }, core)
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

test('a control request is rejected with each reason about its query', async () => {
  const { body } = await (await open()).send('GET /clock?x=1&y=2')
  expect(body?.text).toContain('none; y is not')
})

test('a control request that is aborted while it waits for its turn changes nothing', async () => {
  const { world, send } = await open()
  const { generation } = world
  expect(await send('POST /reset', true)).toMatchObject({ status: 0 })
  expect(world.generation).toBe(generation)
})

test('a key that is unlisted while its control request waits for its turn is rejected', async () => {
  const { core, world, send } = await open(() => world.replace(seed))
  const seed = await core.settings.library.prepare('default')
  expect(await send('POST /reset')).toMatchObject({ status: 401 })
})
