import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../src/index.js'
import { createSuite } from '../support/suite.js'
import {
  httpNodeHttpTransport,
  mswAxiosTransport,
  mswNodeHttpTransport,
} from '../support/transports.js'

const others = [mswAxiosTransport, mswNodeHttpTransport, httpNodeHttpTransport]

describe.each(others)('through $name', (transport) => {
  const { open } = createSuite(transport)

  test('listInventory and updateInventory carry int64 exactly', async () => {
    const { call } = await open({ scenario: 'int64-ids' })
    const petId = '9223372036854775807'
    const { text } = await call({ operation: 'updateInventory', petId, json: { quantity: 7 } })
    expect(text).toBe(`{"petId":${petId},"quantity":7,"status":"available"}`)
    expect((await call({ operation: 'listInventory' })).text).toContain(text)
  })

  test('getPet and listOrders answer as they do elsewhere', async () => {
    const { call } = await open()
    expect((await call({ operation: 'getPet' })).json).toMatchObject({ petId: 1, name: 'Bella' })
    expect((await call({ operation: 'listOrders' })).json).toHaveLength(5)
    const head = await call({ operation: 'getPet', method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, text: '' })
  })

  test('sendMessage takes text beyond ASCII', async () => {
    const { call } = await open()
    const { json } = await call({ operation: 'sendMessage', json: { message: 'Æ 猫 🐈' } })
    expect(json).toMatchObject({ message: 'Æ 猫 🐈', status: 'queued' })
  })

  test('each kind of refusal arrives whole', async () => {
    const { call } = await open()
    const refused = [
      await call({ operation: 'updateInventory', json: { quantity: -1 } }),
      await call({ operation: 'updateInventory', contentType: null }),
      await call({ operation: 'listInventory', key: null }),
      await call({ operation: 'getPet', petId: '99' }),
      await call({ path: '/inventory', method: 'DELETE' }),
      await call({ operation: 'sendMessage', body: ' '.repeat(65_537) }),
    ]
    expect(refused.map(({ status, code }) => [status, code])).toEqual([
      [400, 'invalid_field'],
      [400, 'unsupported_media_type'],
      [401, 'missing_api_key'],
      [404, 'pet_not_found'],
      [405, 'method_not_allowed'],
      [413, 'payload_too_large'],
    ])
  })

  test('who waits for Retry-After gets through', async () => {
    const { call, sandbox } = await open({ scenario: 'rate-limited' })
    const { status, retryAfter } = await call({ operation: 'listInventory' })
    expect(status).toBe(429)
    sandbox.world.clock.advance(retryAfter * 1000)
    expect((await call({ operation: 'listInventory' })).status).toBe(200)
  })

  test('a delay is waited for', async () => {
    const { call, delays } = await open()
    await call({ operation: 'listInventory', headers: { Prefer: 'wait=3' } })
    expect(delays).toEqual([3_000])
  })

  test('a reset and a truncated body are failures', async () => {
    const faults: Scenario['faults'] = [
      { type: 'reset', times: 1 },
      { type: 'truncate', times: 1 },
    ]
    const { call } = await open({ scenario: { name: 'broken', extends: ['default'], faults } })
    await expect(call({ operation: 'listInventory' })).rejects.toThrow()
    const truncated = call({ operation: 'listInventory' }).then(({ isCutOff }) => isCutOff)
    await expect(truncated.catch(() => true)).resolves.toBe(true)
    expect(await call({ operation: 'listInventory' })).toMatchObject({ isCutOff: false })
  })
})
