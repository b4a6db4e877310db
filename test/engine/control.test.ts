import { expect, test } from 'vitest'
import type { Client } from '../../src/engine/client.js'
import type { ApiRequest } from '../../src/engine/exchange.js'
import { respond } from '../../src/engine/respond.js'
import { createSandbox } from '../../src/index.js'
import { readHeaders } from '../../src/service/headers.js'

/** A control request over HTTP, with a log of what it asks of its client. */
function toRequest(target: string, onTurn: () => void = () => {}) {
  const [method = '', path = ''] = target.split(' ')
  const log: string[] = []
  let isAborted = false
  const client: Client = {
    address: '192.0.2.1',
    isLocal: true,
    worldBytes: 0,
    worldLimit: Infinity,
    chargeWorld: () => log.push('chargeWorld'),
    chargeControlRequest: () => log.push('chargeControlRequest'),
    takeTurn: async () => {
      log.push('takeTurn')
      onTurn()
    },
    prepare: (task) => {
      log.push('prepare')
      return task()
    },
    openStream: () => {
      log.push('openStream')
      return () => log.push('closeStream')
    },
  }
  const request: ApiRequest = {
    method,
    address: 'control',
    path,
    query: '',
    header: (name) => (name === 'authorization' ? 'Bearer shop-key' : undefined),
    forEachHeader: () => {},
    client,
    get isAborted() {
      return isAborted
    },
    onAbort: () => {},
    onSent: (listener) => listener(),
    readBody: () => undefined,
  }
  const abort = () => {
    isAborted = true
  }
  return { request, log, abort }
}

const open = () =>
  createSandbox({ scenario: { name: 'shop', apiKeys: [{ key: 'shop-key', plan: 'free' }] } })

test.each([
  ['GET /clock', []],
  ['GET /report', ['prepare']],
  ['GET /events', ['openStream', 'closeStream']],
  ['HEAD /events', []],
])('%s over HTTP waits for a turn of its client, then %j', async (target, uses) => {
  const { core } = await open()
  const { request, log } = toRequest(target)
  const { status, headers } = await respond(request, core)
  expect(status).toBe(200)
  expect(log).toEqual(['chargeControlRequest', 'takeTurn', ...uses])
  const isStream = target.endsWith('/events')
  expect(readHeaders(headers)['x-accel-buffering']).toBe(isStream ? 'no' : undefined)
})

test('a control request that is aborted while it waits for its turn changes nothing', async () => {
  const { core, world } = await open()
  const { request, abort } = toRequest('POST /reset', () => abort())
  const { generation } = world
  expect(await respond(request, core)).toMatchObject({ status: 0 })
  expect(world.generation).toBe(generation)
})

test('a key that is unlisted while its control request waits for its turn is rejected', async () => {
  const { core, world } = await open()
  const seed = await core.settings.library.prepare('default')
  const { request } = toRequest('POST /reset', () => world.replace(seed))
  expect(await respond(request, core)).toMatchObject({ status: 401 })
})
