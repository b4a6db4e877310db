import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../src/server.js'
import { readScenario } from '../../../src/world/scenario/read.js'
import { maximumKeys } from '../../../src/world/scenario/schema.js'
import { issueKey, openAccess, type RequestParts, type Send, secret } from './support/access.js'

const first = 'acme-live-key-0001'
const second = 'beta-live-key-0002'
const apiKeys: Scenario['apiKeys'] = [
  { key: first, plan: 'pro' },
  { key: second, plan: 'business' },
]
const shop: Scenario = {
  name: 'shop',
  extends: 'default',
  apiKeys,
  quota: { [second]: { minute: { used: 7 } } },
}
const access = { keySecrets: [secret] }

const put = (send: Send, scenario: unknown, parts: RequestParts = {}) =>
  send('PUT', '/sandbox/scenario', { ...parts, json: scenario })
const list = async (send: Send, key: string) => (await send('GET', '/v1/inventory', { key })).status
const message = ({ json }: { readonly json: unknown }): string => Object(json).message

describe('with a key secret, a world whose scenario lists keys', () => {
  test('is changed only with one of them', async () => {
    const closed = await openAccess({ scenario: shop, access })
    const open = await openAccess({ scenario: shop })
    for (const key of ['sbx_free', first]) {
      expect((await open.send('POST', '/sandbox/reset', { key })).status).toBe(200)
    }
    expect((await closed.send('POST', '/sandbox/reset', { key: first })).status).toBe(200)
    expect((await closed.send('POST', '/sandbox/reset', { key: second })).status).toBe(200)
    const key = issueKey('acme', 'free', 'shop')
    for (const other of ['sbx_free', key]) {
      const denied = await closed.send('POST', '/sandbox/reset', { key: other })
      expect(denied).toMatchObject({ status: 403, code: 'control_denied' })
      expect((await closed.send('GET', '/sandbox', { key: other })).status).toBe(200)
    }
  })

  test('masks the others in snapshots, which are valid scenarios', async () => {
    const { send } = await openAccess({ scenario: shop, access })
    await list(send, second)
    for (const [key, own] of [
      [first, [first]],
      ['sbx_free', []],
      [issueKey('acme', 'free', 'shop'), []],
    ] as const) {
      const { json, text } = await send('GET', '/sandbox/snapshot', { key })
      readScenario(json, 'the snapshot')
      const snapshot = json as Scenario // it is valid
      const shown = snapshot.apiKeys?.map((entry) => entry.key) ?? []
      expect(shown.filter((entry) => !entry.startsWith('masked-'))).toEqual(own)
      expect(snapshot.apiKeys?.map(({ plan }) => plan)).toEqual(['pro', 'business'])
      expect(text).not.toContain(second)
      expect(snapshot.description).toContain(`placeholders: ${2 - own.length}.`)
      expect(Object.keys(snapshot.quota ?? {})).toContain(shown[1])
    }
  })

  test('has placeholders in snapshots that no other client knows', async () => {
    const { send } = await openAccess({ scenario: shop, access })
    const read = async () => Object((await send('GET', '/sandbox/snapshot')).json).apiKeys[0].key
    expect(await read()).not.toBe(await read())
    expect(await list(send, await read())).toBe(401)
  })

  test('does not accept a scenario after which the key could not control it', async () => {
    const { send } = await openAccess({ scenario: shop, access })
    const key = issueKey('beta')
    const rejected = await put(
      send,
      { name: 'own', apiKeys: [{ key: 'own-key-1', plan: 'free' }] },
      { key },
    )
    expect(rejected).toMatchObject({ status: 400, code: 'invalid_scenario' })
    expect(message(rejected)).toContain('apiKeys of own must be empty')
    expect((await put(send, { name: 'own' }, { key })).status).toBe(200)
  })
})

test('without a key secret, a snapshot has the listed keys', async () => {
  const { send } = await openAccess({ scenario: shop })
  expect(Object((await send('GET', '/sandbox/snapshot')).json).apiKeys).toEqual(apiKeys)
})

describe('PUT /sandbox/scenario', () => {
  const key = 'sbx_free_default_a'
  const claim = (claimed: string) => ({ name: 'claim', apiKeys: [{ key: claimed, plan: 'free' }] })

  test('cannot list a key of another world, and the message masks it', async () => {
    const { send } = await openAccess({ scenario: shop })
    const rejected = await put(send, claim(second), { key })
    expect(rejected).toMatchObject({ status: 400, code: 'invalid_scenario' })
    expect(message(rejected)).toBe(
      'apiKeys of claim must list no key of another world, found beta-live…',
    )
    expect((await send('GET', '/sandbox', { key })).json).toMatchObject({ scenario: 'default' })
    expect((await put(send, claim('free-for-all-1'), { key })).status).toBe(200)
  })

  test('cannot list a key that another world received with PUT, as long as it has it', async () => {
    const { send } = await openAccess()
    const other = 'sbx_free_default_b'
    expect((await put(send, claim(first), { key })).status).toBe(200)
    expect((await put(send, claim(first), { key: other })).status).toBe(400)
    expect((await put(send, claim(first), { key })).status).toBe(200)
    expect((await put(send, 'default', { key })).status).toBe(200)
    expect((await put(send, claim(first), { key: other })).status).toBe(200)
  })

  test('can list a key of an evicted world', async () => {
    const { send, server } = await openAccess({ maxWorlds: 2 })
    await put(send, claim(first), { key })
    await list(send, 'sbx_free_default_b')
    expect(server.sandbox.core.worlds.count).toBe(2)
    expect((await put(send, claim(first), { key: 'sbx_free_default_c' })).status).toBe(200)
  })

  test('can list a key of a world in the other environment', async () => {
    const { send } = await openAccess()
    await put(send, claim(first))
    const staging = await send('PUT', '/staging/sandbox/scenario', { json: claim(first) })
    expect(staging.status).toBe(200)
  })

  test('can list a key that the world lists itself, so that its snapshot can be restored', async () => {
    const { send } = await openAccess({ scenario: shop })
    const own = 'sbx_free_shop_a'
    for (const sender of ['sbx_free', own]) {
      const { json } = await send('GET', '/sandbox/snapshot', { key: sender })
      expect((await put(send, json, { key: sender })).status).toBe(200)
    }
  })

  test('removes a listed key until the world is reset', async () => {
    const { send, server } = await openAccess({ scenario: shop })
    for (const reset of [
      () => send('POST', '/sandbox/reset'),
      async () => server.sandbox.reset(),
    ]) {
      expect((await put(send, 'low-stock')).status).toBe(200)
      expect(await list(send, first)).toBe(401)
      // Another world cannot take the key in the meantime.
      expect((await put(send, claim(first), { key })).status).toBe(400)
      await reset()
      expect(await list(send, first)).toBe(200)
      expect(await list(send, second)).toBe(200)
    }
  })

  test('followed by a reset keeps its scenario and its own keys', async () => {
    const { send } = await openAccess({ scenario: shop })
    await put(send, { ...claim('added-key-1'), extends: 'empty-store' })
    const reset = await send('POST', '/sandbox/reset')
    expect(reset.json).toMatchObject({ scenario: 'claim', counts: { pets: 0 } })
    for (const listed of [first, second, 'added-key-1']) {
      expect(await list(send, listed)).toBe(200)
      expect((await send('GET', '/sandbox', { key: listed })).status).toBe(200)
    }
    const { json } = await send('GET', '/sandbox/snapshot')
    expect(Object(json).apiKeys).toHaveLength(3)
  })

  test('accepts no more keys than a snapshot can have after a reset', async () => {
    const toKeys = (prefix: string) =>
      Array.from({ length: maximumKeys }, (_, index) => ({
        key: `${prefix}-key-${index}`,
        plan: 'free' as const,
      }))
    const { send } = await openAccess({ scenario: { name: 'full', apiKeys: toKeys('old') } })
    const rejected = await put(send, { name: 'more', apiKeys: toKeys('new') })
    expect(rejected).toMatchObject({ status: 400, code: 'invalid_scenario' })
    expect(message(rejected)).toContain('in addition')
    expect((await put(send, { name: 'same', apiKeys: toKeys('old') })).status).toBe(200)
  })

  test('after sandbox.use, restores the keys of the scenario in use', async () => {
    const { send, server } = await openAccess({ scenario: shop })
    await server.sandbox.use('low-stock')
    await put(send, 'empty-store')
    await send('POST', '/sandbox/reset')
    expect(await list(send, first)).toBe(401)
  })
})
