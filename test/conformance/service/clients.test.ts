import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../src/index.js'
import { createSuite } from '../../support/suite.js'
import {
  httpNodeHttpTransport,
  mswAxiosTransport,
  mswNodeHttpTransport,
} from '../../support/transports.js'

const others = [mswAxiosTransport, mswNodeHttpTransport, httpNodeHttpTransport]

describe.each(others)('through $name', (transport) => {
  const { open } = createSuite(transport)

  test('listInventory and updateInventory return int64 exactly', async () => {
    const { send } = await open({ scenario: 'int64-ids' })
    const petId = '9223372036854775807'
    const { text } = await send({ operation: 'updateInventory', petId, json: { quantity: 7 } })
    expect(text).toBe(`{"petId":${petId},"quantity":7,"status":"available"}`)
    expect((await send({ operation: 'listInventory' })).text).toContain(text)
  })

  test('getPet and listOrders respond as over the other transports', async () => {
    const { send } = await open()
    expect((await send({ operation: 'getPet' })).json).toMatchObject({ petId: 1, name: 'Bella' })
    expect((await send({ operation: 'listOrders' })).json).toHaveLength(5)
    const head = await send({ operation: 'getPet', method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '' })
  })

  test('sendMessage accepts strings beyond ASCII', async () => {
    const { send } = await open()
    const { json } = await send({ operation: 'sendMessage', json: { message: 'Æ 猫 🐈' } })
    expect(json).toMatchObject({ message: 'Æ 猫 🐈', status: 'queued' })
  })

  test('each kind of error is received', async () => {
    const { send } = await open()
    const responses = [
      await send({ operation: 'updateInventory', json: { quantity: -1 } }),
      await send({ operation: 'updateInventory', contentType: null }),
      await send({ operation: 'listInventory', key: null }),
      await send({ operation: 'getPet', petId: '99' }),
      await send({ path: '/inventory', method: 'DELETE' }),
      await send({ operation: 'sendMessage', body: ' '.repeat(65_537) }),
    ]
    expect(responses.map(({ status, code }) => [status, code])).toEqual([
      [400, 'invalid_field'],
      [400, 'unsupported_media_type'],
      [401, 'missing_api_key'],
      [404, 'pet_not_found'],
      [405, 'method_not_allowed'],
      [413, 'payload_too_large'],
    ])
  })

  test('a request after Retry-After succeeds', async () => {
    const { send, sandbox } = await open({ scenario: 'rate-limited' })
    const { status, retryAfter } = await send({ operation: 'listInventory' })
    expect(status).toBe(429)
    sandbox.world.clock.advance(retryAfter * 1000)
    expect((await send({ operation: 'listInventory' })).status).toBe(200)
  })

  test('a delay is applied', async () => {
    const { send, delays } = await open()
    await send({ operation: 'listInventory', headers: { Prefer: 'delay=3' } })
    expect(delays).toEqual([3_000])
  })

  test('a reset and a truncated body fail', async () => {
    const faults: Scenario['faults'] = [
      { type: 'reset', atMost: 1 },
      { type: 'truncate', atMost: 1 },
    ]
    const { send } = await open({ scenario: { name: 'broken', extends: ['default'], faults } })
    await expect(send({ operation: 'listInventory' })).rejects.toThrow()
    const truncated = send({ operation: 'listInventory' }).then(({ isCutOff }) => isCutOff)
    await expect(truncated.catch(() => true)).resolves.toBe(true)
    expect(await send({ operation: 'listInventory' })).toMatchObject({ isCutOff: false })
  })
})
