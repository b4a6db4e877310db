import { describe, expect, test } from 'vitest'
import { addresses } from '../../../src/contract/addresses.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../../../src/control/operations.js'
import type { ControlSuite } from '../suite.js'
import type { Connection, SteerRequest } from '../support.js'

/** A request that succeeds, for each operation that needs more than its row says. */
const examples: Partial<Record<ControlOperationId, SteerRequest>> = {
  putScenario: { json: 'low-stock' },
  changeClock: { json: { advance: 1_000 } },
  changeQuota: { json: { ban: { seconds: 60 } } },
  replaceFaults: { json: [{ type: 'status', status: 500 }] },
  addPet: { json: { petId: 77, name: 'Rex' } },
  changePet: { path: '/pets/1', json: { quantity: 99 } },
  removePet: { path: '/pets/1' },
  addOrder: { json: { id: 900, petId: 1 } },
  changeOrder: { path: '/orders/1001', json: { quantity: 99 } },
  removeOrder: { path: '/orders/1001' },
  createKey: { json: { plan: 'pro' } },
}

function toExample(operation: ControlOperationId): SteerRequest {
  const { path } = controlOperations[operation]
  return { operation, path, ...examples[operation] }
}

const isSafe = (id: ControlOperationId) => controlOperations[id].method === 'GET'
const takesBody = (id: ControlOperationId) => controlOperations[id].body !== undefined

/** The outcomes that have to appear, from the table and what all operations have in common. */
export function expectedOutcomes(): `${ControlOperationId} ${string}`[] {
  return controlOperationIds.flatMap((id) =>
    [
      // A stream is no answer with an end; it has tests of its own.
      ...(id === 'streamEvents' ? [] : ['success']),
      ...['missing_api_key', 'invalid_api_key', 'invalid_parameter'],
      ...(isSafe(id) ? [] : ['cross_origin_denied']),
      ...(takesBody(id)
        ? ['invalid_json', 'unsupported_media_type', 'payload_too_large', 'invalid_field']
        : []),
      ...(id === 'addPet' || id === 'addOrder' ? ['missing_field', 'sandbox_capacity'] : []),
      ...(controlOperations[id].errors ?? []),
    ].map((outcome): `${ControlOperationId} ${string}` => `${id} ${outcome}`),
  )
}

const mebibyte = 1_048_576

/** Every way in which a control call is refused, and that the world stays as it was. */
export function describeRefusals({ open }: ControlSuite): void {
  /** Steers, and holds that nothing changed in the world that the key reaches. */
  async function refuse({ steer, sandbox }: Connection, request: SteerRequest) {
    const before = JSON.stringify(sandbox.world.snapshot())
    const answer = await steer(request)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(sandbox.world.snapshot()), 'the world').toBe(before)
    return answer
  }

  describe('a control call without a valid key is answered 401', () => {
    test.each(controlOperationIds)('%s', async (operation) => {
      const connection = await open()
      const example = toExample(operation)
      const keyless = await refuse(connection, { ...example, key: null })
      expect(keyless).toMatchObject({ status: 401, code: 'missing_api_key' })
      expect(keyless.headers.get('WWW-Authenticate')).toBe('Bearer realm="petstore"')
      const unknown = await refuse(connection, { ...example, key: 'guessed-key' })
      expect(unknown).toMatchObject({ status: 401, code: 'invalid_api_key' })
      expect(unknown.headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
    })

    test.each([
      ['an empty header', '', 'missing_api_key'],
      ['another scheme', 'Basic c2J4X2ZyZWU6', 'missing_api_key'],
      ['the scheme in small letters', 'bearer sbx_free', 'missing_api_key'],
      ['the scheme alone', 'Bearer', 'missing_api_key'],
      ['two spaces', 'Bearer  sbx_free', 'missing_api_key'],
      ['two keys', 'Bearer sbx_free sbx_pro', 'missing_api_key'],
      ['the key alone', 'sbx_free', 'missing_api_key'],
      ['a key of no plan', 'Bearer sbx_gold', 'invalid_api_key'],
      ['a revoked key', 'Bearer sbx_revoked', 'invalid_api_key'],
      ['a key of no scenario', 'Bearer sbx_free_no-such-scenario', 'invalid_api_key'],
      ['a key in capitals', 'Bearer SBX_FREE', 'invalid_api_key'],
    ])('with %s', async (_, authorization, code) => {
      const connection = await open()
      const answer = await refuse(connection, { operation: 'resetWorld', authorization })
      expect(answer).toMatchObject({ status: 401, code })
    })

    test('and the message shows no more of a key than its first 12 characters', async () => {
      const connection = await open()
      const key = 'sbx_gold_default_s3cr3t-s3cr3t'
      const answer = await refuse(connection, { operation: 'getOverview', key })
      expect(answer.message).toContain('sbx_gold_def…')
      expect(answer.text).not.toContain('s3cr3t')
    })
  })

  describe('a page of another origin is answered 403 cross_origin_denied', () => {
    test.each(controlOperationIds.filter((id) => !isSafe(id)))('%s', async (operation) => {
      const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://shop.example' }
      const answer = await refuse(await open(), { ...toExample(operation), headers })
      expect(answer).toMatchObject({ status: 403, code: 'cross_origin_denied' })
      expect(answer.message).toContain('https://shop.example')
    })

    // The rules of CrossOriginProtection in Go's net/http.
    test.each([
      ['neither header, as from no browser', {}, 200],
      ['Sec-Fetch-Site same-origin', { 'Sec-Fetch-Site': 'same-origin' }, 200],
      ['Sec-Fetch-Site none, as typed by a user', { 'Sec-Fetch-Site': 'none' }, 200],
      ['Sec-Fetch-Site same-site', { 'Sec-Fetch-Site': 'same-site' }, 403],
      ['Sec-Fetch-Site cross-site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
      ['a Sec-Fetch-Site of no known value', { 'Sec-Fetch-Site': 'nearby' }, 403],
      ['an empty Sec-Fetch-Site', { 'Sec-Fetch-Site': '' }, 200],
      ['an older browser with the same host', { Origin: '{origin}' }, 200],
      ['an older browser with another host', { Origin: 'https://shop.example' }, 403],
      ['an older browser with another port', { Origin: '{origin}:1' }, 403],
      ['an older browser with an opaque origin', { Origin: 'null' }, 403],
      ['an empty Origin', { Origin: '' }, 200],
      [
        'same-origin by Sec-Fetch-Site, whatever Origin says',
        { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://shop.example' },
        200,
      ],
      [
        'cross-site by Sec-Fetch-Site, whatever Origin says',
        { 'Sec-Fetch-Site': 'cross-site', Origin: '{origin}' },
        403,
      ],
    ])('or let through: %s', async (_, headers: Record<string, string>, status) => {
      const { steer, steeringUrl } = await open()
      const { origin, host } = new URL(steeringUrl)
      const sent = Object.entries({ Host: host, ...headers }).map(([name, value]) => [
        name,
        value.replace('{origin}', origin),
      ])
      const request = { operation: 'resetWorld', headers: Object.fromEntries(sent) } as const
      expect((await steer(request)).status).toBe(status)
    })

    test('but may send GET and HEAD, whose answers no header lets it read', async () => {
      const { steer } = await open()
      const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://shop.example' }
      expect((await steer({ operation: 'getOverview', headers })).status).toBe(200)
      expect((await steer({ operation: 'getOverview', headers, key: null })).status).toBe(401)
      expect((await steer({ method: 'HEAD', headers })).status).toBe(200)
    })

    test('and its preflight is granted nothing', async () => {
      const { steer } = await open()
      const headers = {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'authorization,content-type',
      }
      const answer = await steer({ method: 'OPTIONS', path: '/clock', key: null, headers })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('Allow')).toBe('GET, HEAD, PATCH, OPTIONS')
    })
  })

  describe('a query that no operation has is answered 400 invalid_parameter', () => {
    test.each(controlOperationIds)('%s', async (operation) => {
      const example = toExample(operation)
      const connection = await open()
      for (const query of ['verbose=1', '__proto__=1', 'x=1&x=2']) {
        const answer = await refuse(connection, { ...example, path: `${example.path}?${query}` })
        expect(answer).toMatchObject({ status: 400, code: 'invalid_parameter' })
      }
    })

    test.each([
      ['/requests?status=teapot', 'status'],
      ['/requests?status=200&status=404', 'status'],
      ['/requests?since=yesterday', 'since'],
      ['/requests?unmatched=maybe', 'unmatched'],
      ['/requests?limit=0', 'limit'],
      ['/requests?limit=-1', 'limit'],
      ['/requests?limit=100000', 'limit'],
      ['/snapshot?name=Not%20Kebab', 'name'],
      ['/snapshot?name=', 'name'],
    ])('%s, naming the parameter', async (path, name) => {
      const answer = await refuse(await open(), { path })
      expect(answer.code).toBe('invalid_parameter')
      expect(answer.message).toContain(name)
    })
  })

  describe('a body that cannot be read is refused', () => {
    test.each(controlOperationIds.filter(takesBody))('%s', async (operation) => {
      const example = { ...toExample(operation), json: undefined }
      const connection = await open()
      const code = async (request: SteerRequest) =>
        (await refuse(connection, { ...example, ...request })).code

      expect(await code({ body: '{"quantity":' })).toBe('invalid_json')
      expect(await code({})).toMatch(/^(invalid_json|unsupported_media_type)$/)
      expect(await code({ body: '', contentType: 'application/json' })).toBe('invalid_json')
      expect(await code({ body: new Uint8Array([0x22, 0xff, 0x22]) })).toBe('invalid_json')
      expect(await code({ body: '['.repeat(200_000) })).toBe('invalid_json')
      expect(await code({ body: '{}', contentType: 'text/plain' })).toBe('unsupported_media_type')
      expect(await code({ body: '{}', contentType: null })).toBe('unsupported_media_type')
      expect(await code({ body: '7' })).toBe('invalid_field')
      expect(await code({ body: 'null' })).toBe('invalid_field')
      const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
      expect(await code({ body: deep })).toMatch(/^invalid_(field|scenario)$/)
      const wide = `[${'['.repeat(20_000)}${']'.repeat(20_000)}]`
      expect(await code({ body: wide })).toMatch(/^invalid_(field|scenario)$/)
      expect(await code({ body: '{"__proto__":{"polluted":true}}' })).toMatch(/_(field|scenario)$/)
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    })

    test.each(controlOperationIds.filter(takesBody))(
      '%s: 413 past 8 MiB and not a byte before',
      async (operation) => {
        const connection = await open()
        const request = { ...toExample(operation), json: undefined }
        const atLimit = `"${'x'.repeat(8 * mebibyte - 2)}"`
        const taken = await refuse(connection, { ...request, body: atLimit })
        expect(taken.status).toBe(400)
        const refused = await refuse(connection, { ...request, body: `${atLimit} ` })
        expect(refused).toMatchObject({ status: 413, code: 'payload_too_large' })
        expect(refused.message).toContain('8388608')
      },
    )
  })

  describe('a body that does not fit is refused, and the message says where', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })
    const proto = (text: string) => text.replace('PROTO', '"__proto__":{"x":1}')

    test.each<[ControlOperationId, unknown, string, string]>([
      ['changeClock', { now: 'noon' }, 'invalid_field', 'now'],
      ['changeClock', { now: '0999-12-31T23:59:59Z' }, 'invalid_field', '1000'],
      ['changeClock', { now: '9000-01-01T00:00:00Z' }, 'invalid_field', '8999'],
      ['changeClock', { now: 1_700_000_000_000 }, 'invalid_field', 'now'],
      ['changeClock', { advance: 'P1M' }, 'invalid_field', 'advance'],
      ['changeClock', { advance: 'P9999999D' }, 'invalid_field', '8999'],
      ['changeClock', { advance: 1e300 }, 'invalid_field', 'advance'],
      ['changeClock', { advance: null }, 'invalid_field', 'advance'],
      ['changeClock', { advanceTo: 'tomorrow' }, 'invalid_field', 'advanceTo'],
      ['changeClock', { now: '2030-01-01T00:00:00Z', advance: 1 }, 'invalid_field', 'only one'],
      ['changeClock', { now: '9000-01-01T00:00:00Z', frozen: true }, 'invalid_field', '8999'],
      ['changeClock', { frozen: 'yes' }, 'invalid_field', 'frozen'],
      ['changeClock', { speed: 2 }, 'invalid_field', 'speed'],
      ['changeQuota', { minute: { used: -1 } }, 'invalid_field', 'minute.used'],
      ['changeQuota', { minute: { used: 1.5 } }, 'invalid_field', 'minute.used'],
      ['changeQuota', { minute: { used: '1' } }, 'invalid_field', 'minute.used'],
      ['changeQuota', { day: { used: 1, remaining: 1 } }, 'invalid_field', 'day'],
      ['changeQuota', { day: { resetsAt: 'soon' } }, 'invalid_field', 'day.resetsAt'],
      ['changeQuota', { hour: {} }, 'invalid_field', 'hour'],
      ['changeQuota', { ban: { seconds: 0 } }, 'invalid_field', 'ban.seconds'],
      ['changeQuota', { ban: {} }, 'invalid_field', 'ban'],
      ['changeQuota', { ban: { until: '9999-12-31T23:59:59-00:01' } }, 'invalid_field', '9999'],
      ['changeQuota', { ban: { until: '0000-01-01T00:00:00+00:01' } }, 'invalid_field', '0000'],
      ['changeQuota', { ban: true }, 'invalid_field', 'ban'],
      ['changeQuota', { minute: { used: 1 }, ban: 'x' }, 'invalid_field', 'ban'],
      ['replaceFaults', { type: 'reset' }, 'invalid_field', 'the body'],
      ['replaceFaults', [{ type: 'explode' }], 'invalid_field', '[0].type'],
      ['replaceFaults', [{ type: 'status' }], 'missing_field', '[0].status'],
      ['replaceFaults', [{ type: 'status', status: 200 }], 'invalid_field', '[0].status'],
      ['replaceFaults', [{ type: 'reset', rate: 0 }], 'invalid_field', '[0].rate'],
      ['replaceFaults', [{ type: 'reset', times: 0 }], 'invalid_field', '[0].times'],
      ['replaceFaults', [{ type: 'reset', operation: 'x' }], 'invalid_field', '[0].operation'],
      ['replaceFaults', [{ type: 'reset' }, { type: 'x' }], 'invalid_field', '[1].type'],
      ['replaceFaults', Array(101).fill({ type: 'reset' }), 'invalid_field', '100'],
      ['addPet', {}, 'missing_field', 'petId'],
      ['addPet', { petId: 77 }, 'missing_field', 'name'],
      ['addPet', { petId: 1.5, name: 'Rex' }, 'invalid_field', 'petId'],
      ['addPet', { petId: '007', name: 'Rex' }, 'invalid_field', 'petId'],
      ['addPet', { petId: '9223372036854775808', name: 'Rex' }, 'invalid_field', 'petId'],
      ['addPet', { petId: 77, name: 'Rex', quantity: 1.5 }, 'invalid_field', 'quantity'],
      ['addPet', { petId: 77, name: 'Rex', status: 'lost' }, 'invalid_field', 'status'],
      ['addPet', { petId: 77, name: 'Rex', tags: 'a' }, 'invalid_field', 'tags'],
      ['addPet', { petId: 77, name: 'Rex', further: nested(63) }, 'invalid_field', '64 levels'],
      ['addPet', { petId: 77, name: 'Rex', tags: Array(20_001).fill('') }, 'invalid_field', 'tags'],
      ['addPet', [{ petId: 77, name: 'Rex' }], 'invalid_field', 'an object'],
      ['addPet', { petId: 1, name: 'Rex' }, 'resource_conflict', '1'],
      ['changePet', { quantity: '5' }, 'invalid_field', 'quantity'],
      ['changePet', { name: null }, 'invalid_field', 'name'],
      ['changePet', { petId: 2 }, 'invalid_field', 'petId must be 1'],
      ['changePet', { further: nested(63) }, 'invalid_field', '64 levels'],
      ['addOrder', { id: 900 }, 'missing_field', 'petId'],
      ['addOrder', { id: 900, petId: 1, shipDate: 'soon' }, 'invalid_field', 'shipDate'],
      ['addOrder', { id: 900, petId: 1, status: 'lost' }, 'invalid_field', 'status'],
      ['addOrder', { id: 1001, petId: 1 }, 'resource_conflict', '1001'],
      ['changeOrder', { complete: 'yes' }, 'invalid_field', 'complete'],
      ['changeOrder', { id: 2 }, 'invalid_field', 'id must be 1001'],
      ['createKey', { plan: 'gold' }, 'invalid_field', 'plan'],
      ['createKey', { label: 'mine' }, 'invalid_field', 'label'],
      ['createKey', { scenario: 'low-stok' }, 'invalid_scenario', 'low-stock'],
      ['putScenario', 'low-stok', 'invalid_scenario', 'low-stock'],
      ['putScenario', [], 'invalid_scenario', 'at least one'],
      ['putScenario', ['default', 7], 'invalid_scenario', '7'],
      ['putScenario', [['default']], 'invalid_scenario', 'an object'],
      ['putScenario', ['default', 'low-stok'], 'invalid_scenario', 'low-stok'],
      ['putScenario', ['rate-limited', 'nearly-limitd'], 'invalid_scenario', 'nearly-limited'],
      [
        'putScenario',
        { name: 'late', quota: { free: { day: { resetsAt: '2099-01-01T00:00:00Z' } } } },
        'invalid_scenario',
        'quota.free.day.resetsAt',
      ],
      [
        'putScenario',
        { name: 'sunset-first', deprecation: { sunsetAt: '-P31D' } },
        'invalid_scenario',
        'deprecation.sunsetAt',
      ],
      ['putScenario', {}, 'invalid_scenario', 'name'],
      ['putScenario', { name: 'mine', petz: [] }, 'invalid_scenario', 'petz'],
      ['putScenario', { name: 'mine', pets: [{ petId: 1 }] }, 'invalid_scenario', 'pets[0].name'],
      ['putScenario', { name: 'mine', extends: 'no-such' }, 'invalid_scenario', 'no-such'],
      ['putScenario', { name: 'mine', quota: { gold: {} } }, 'invalid_scenario', 'gold'],
      ['putScenario', { name: 'mine', clock: { now: 'noon' } }, 'invalid_scenario', 'clock.now'],
    ])('%s %j', async (operation, json, code, part) => {
      const answer = await refuse(await open(), { ...toExample(operation), json })
      expect(answer.code).toBe(code)
      expect(answer.message).toContain(part)
    })

    test.each<[ControlOperationId, string]>([
      ['changeClock', '{PROTO}'],
      ['changeQuota', '{"minute":{PROTO}}'],
      ['replaceFaults', '[{"type":"reset",PROTO}]'],
      ['addPet', '{"petId":77,"name":"Rex",PROTO}'],
      ['addPet', '{"petId":77,"name":"Rex","further":{PROTO}}'],
      ['changePet', '{PROTO}'],
      ['changePet', '{"further":[{PROTO}]}'],
      ['addOrder', '{"id":900,"petId":1,PROTO}'],
      ['changeOrder', '{"further":{PROTO}}'],
      ['createKey', '{"plan":"free",PROTO}'],
      ['putScenario', '{"name":"mine",PROTO}'],
      ['putScenario', '{"name":"mine","pets":[{"petId":1,"name":"Rex",PROTO}]}'],
    ])('%s %s with __proto__ as a field', async (operation, text) => {
      const request = { ...toExample(operation), json: undefined, body: proto(text) }
      const answer = await refuse(await open(), request)
      expect(answer.code).toMatch(/^invalid_(field|scenario)$/)
      expect(answer.message).toContain('__proto__')
    })

    test.each<[string, string, string]>([
      ['/pets/404', 'pet_not_found', '404'],
      ['/pets/abc', 'invalid_parameter', 'petId'],
      ['/pets/01', 'invalid_parameter', 'petId'],
      ['/pets/9223372036854775808', 'invalid_parameter', 'petId'],
      ['/orders/404', 'resource_not_found', '404'],
      ['/orders/1.0', 'invalid_parameter', 'id'],
    ])('PATCH and DELETE %s', async (path, code, part) => {
      const connection = await open()
      for (const method of ['PATCH', 'DELETE']) {
        const json = method === 'PATCH' ? {} : undefined
        const answer = await refuse(connection, { method, path, json })
        expect(answer.code).toBe(code)
        expect(answer.message).toContain(part)
      }
    })

    test('putScenario refuses a scenario that would lock the key out that steers', async () => {
      const key = 'acme-live-key-0001'
      const connection = await open({
        scenario: { name: 'acme', apiKeys: [{ key, plan: 'pro' }] },
      })
      const answer = await refuse(connection, { operation: 'putScenario', key, json: 'default' })
      expect(answer).toMatchObject({ status: 400, code: 'invalid_scenario' })
      expect(answer.text).not.toContain(key)
      expect((await connection.steer({ operation: 'getOverview', key })).status).toBe(200)
    })

    test('addPet and addOrder answer 503 sandbox_capacity in a world that is full', async () => {
      const numbers = Array.from({ length: 20_000 }, (_, index) => index + 1)
      const pets = numbers.map((petId) => ({ petId, name: 'Rex' }))
      const orders = numbers.map((id) => ({ id, petId: 1 }))
      const { steer } = await open({ scenario: { name: 'full', pets, orders } })
      const pet = await steer({ operation: 'addPet', json: { petId: 0, name: 'Rex' } })
      expect(pet).toMatchObject({ status: 503, code: 'sandbox_capacity' })
      const order = await steer({ operation: 'addOrder', json: { id: 0, petId: 1 } })
      expect(order).toMatchObject({ status: 503, code: 'sandbox_capacity' })
    })
  })

  describe('a path or method of no control operation', () => {
    test.each([
      ['GET', '/', 404],
      ['GET', '/nothing', 404],
      ['GET', '/Clock', 404],
      ['GET', '/clock/', 404],
      ['OPTIONS', '/nothing', 404],
      ['GET', '/reset', 405],
      ['GET', '/scenario', 405],
      ['GET', '/keys', 405],
      ['POST', '', 405],
      ['DELETE', '/clock', 405],
      ['PUT', '/pets/1', 405],
    ])('%s %j is answered %i without a key', async (method, path, status) => {
      const answer = await refuse(await open(), { method, path, key: null })
      expect(answer.status).toBe(status)
      expect(answer.code).toBe(status === 404 ? 'route_not_found' : 'method_not_allowed')
    })

    test('is no operation of the service: below the API no path steers', async () => {
      const { call } = await open()
      expect((await call({ path: '/sandbox' })).code).toBe('route_not_found')
      expect(addresses.control.httpPath).toBe('/sandbox')
    })
  })
}
