import { describe, expect, test } from 'vitest'
import { documentedControlErrors, isStream } from '../../../../src/control/operation.js'
import { type ControlOperationId, controlOperationIds } from '../../../../src/control/operations.js'
import { addresses } from '../../../../src/service/addresses.js'
import type { Connection, ControlRequest } from '../../../control/support.js'
import { controlOperations } from '../../../support/operations.js'
import type { ControlSuite } from '../suite.js'

/** A successful request, for each operation that needs parameters or a body. */
const examples: Partial<Record<ControlOperationId, ControlRequest>> = {
  putScenario: { json: 'low-stock' },
  changeClock: { json: { advance: 1_000 } },
  changeQuota: { json: { ban: { seconds: 60 } } },
  addFault: { json: { type: 'status', status: 500 } },
  replaceFaults: { json: [{ type: 'status', status: 500 }] },
  addPet: { json: { petId: 77, name: 'Rex' } },
  changePet: { path: '/pets/1', json: { quantity: 99 } },
  removePet: { path: '/pets/1' },
  addOrder: { json: { id: 900, petId: 1 } },
  changeOrder: { path: '/orders/1001', json: { quantity: 99 } },
  removeOrder: { path: '/orders/1001' },
  createKey: { json: { plan: 'pro' } },
}

function toExample(operation: ControlOperationId): ControlRequest {
  const { path } = controlOperations[operation]
  return { operation, path, ...examples[operation] }
}

const isSafe = (id: ControlOperationId) => controlOperations[id].method === 'GET'
const takesBody = (id: ControlOperationId) => controlOperations[id].request !== undefined

/** The outcomes that must appear: every success and every documented error. */
export function expectedOutcomes(): `${ControlOperationId} ${string}`[] {
  return controlOperationIds.flatMap((id) => {
    const operation = controlOperations[id]
    // A stream does not end; test/control/events.test.ts tests it.
    const successes = isStream(operation) ? [] : ['success']
    // control_denied requires settings of a server; test/transport/http/access.test.ts tests it.
    const errors = documentedControlErrors(operation).filter(
      (code) => code !== 'internal_error' && code !== 'control_denied',
    )
    return [...successes, ...errors].map(
      (outcome): `${ControlOperationId} ${string}` => `${id} ${outcome}`,
    )
  })
}

const mebibyte = 1_048_576

/** Every error of the control API, none of which changes the world. */
export function describeErrors({ open }: ControlSuite): void {
  /** Sends an invalid control request, and expects that the world does not change. */
  async function reject({ control, sandbox }: Connection, request: ControlRequest) {
    const before = JSON.stringify(sandbox.world.snapshot())
    const response = await control(request)
    expect(JSON.stringify(sandbox.world.snapshot()), 'the world').toBe(before)
    return response
  }

  describe('a control request without a valid key receives 401', () => {
    test.each(controlOperationIds)('%s', async (operation) => {
      const connection = await open()
      const example = toExample(operation)
      const keyless = await reject(connection, { ...example, key: null })
      expect(keyless).toMatchObject({ status: 401, code: 'missing_api_key' })
      expect(keyless.headers.get('WWW-Authenticate')).toBe('Bearer realm="petstore"')
      const unknown = await reject(connection, { ...example, key: 'guessed-key' })
      expect(unknown).toMatchObject({ status: 401, code: 'invalid_api_key' })
      expect(unknown.headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
    })

    test.each([
      ['an empty header', '', 'missing_api_key'],
      ['another scheme', 'Basic c2J4X2ZyZWU6', 'missing_api_key'],
      ['the scheme in lower case', 'bearer sbx_free', 'missing_api_key'],
      ['the scheme alone', 'Bearer', 'missing_api_key'],
      ['two spaces', 'Bearer  sbx_free', 'missing_api_key'],
      ['two keys', 'Bearer sbx_free sbx_pro', 'missing_api_key'],
      ['the key alone', 'sbx_free', 'missing_api_key'],
      ['a key with an unknown plan', 'Bearer sbx_gold', 'invalid_api_key'],
      ['a revoked key', 'Bearer sbx_revoked', 'invalid_api_key'],
      ['a key with an unknown scenario', 'Bearer sbx_free_no-such-scenario', 'invalid_api_key'],
      ['a key in upper case', 'Bearer SBX_FREE', 'invalid_api_key'],
    ])('with %s', async (_, authorization, code) => {
      const connection = await open()
      const response = await reject(connection, { operation: 'resetWorld', authorization })
      expect(response).toMatchObject({ status: 401, code })
    })

    test('the message shows at most the first 12 characters of a key', async () => {
      const connection = await open()
      const key = 'sbx_gold_default_s3cr3t-s3cr3t'
      const response = await reject(connection, { operation: 'getOverview', key })
      expect(response.message).toContain('sbx_gold_def…')
      expect(response.text).not.toContain('s3cr3t')
    })
  })

  describe('a page of another origin receives 403 cross_origin_denied', () => {
    test.each(controlOperationIds.filter((id) => !isSafe(id)))('%s', async (operation) => {
      const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://shop.example' }
      const response = await reject(await open(), { ...toExample(operation), headers })
      expect(response).toMatchObject({ status: 403, code: 'cross_origin_denied' })
      expect(response.message).toContain('https://shop.example')
    })

    // The rules of CrossOriginProtection in Go's net/http.
    test.each([
      ['neither header, as sent by other clients', {}, 200],
      ['Sec-Fetch-Site same-origin', { 'Sec-Fetch-Site': 'same-origin' }, 200],
      ['Sec-Fetch-Site none, as typed by a user', { 'Sec-Fetch-Site': 'none' }, 200],
      ['Sec-Fetch-Site same-site', { 'Sec-Fetch-Site': 'same-site' }, 403],
      ['Sec-Fetch-Site cross-site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
      ['an unknown Sec-Fetch-Site', { 'Sec-Fetch-Site': 'nearby' }, 403],
      ['an empty Sec-Fetch-Site', { 'Sec-Fetch-Site': '' }, 200],
      ['an older browser with the same host', { Origin: '{origin}' }, 200],
      ['an older browser with another host', { Origin: 'https://shop.example' }, 403],
      ['an older browser with another port', { Origin: '{origin}:1' }, 403],
      ['an older browser with an opaque origin', { Origin: 'null' }, 403],
      ['an empty Origin', { Origin: '' }, 200],
      [
        'Sec-Fetch-Site same-origin with another Origin',
        { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://shop.example' },
        200,
      ],
      [
        'Sec-Fetch-Site cross-site with the same Origin',
        { 'Sec-Fetch-Site': 'cross-site', Origin: '{origin}' },
        403,
      ],
    ])(
      'the response depends on Sec-Fetch-Site and Origin: %s',
      async (_, headers: Record<string, string>, status) => {
        const { control, controlUrl } = await open()
        const { origin, host } = new URL(controlUrl)
        const sent = Object.entries({ Host: host, ...headers }).map(([name, value]) => [
          name,
          value.replace('{origin}', origin),
        ])
        const request = { operation: 'resetWorld', headers: Object.fromEntries(sent) } as const
        expect((await control(request)).status).toBe(status)
      },
    )

    test('a page of another origin may send GET and HEAD; CORS does not expose the response', async () => {
      const { control } = await open()
      const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://shop.example' }
      expect((await control({ operation: 'getOverview', headers })).status).toBe(200)
      expect((await control({ operation: 'getOverview', headers, key: null })).status).toBe(401)
      expect((await control({ method: 'HEAD', headers })).status).toBe(200)
    })

    test('a preflight receives no CORS headers', async () => {
      const { control } = await open()
      const headers = {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers': 'authorization,content-type',
      }
      const response = await control({ method: 'OPTIONS', path: '/clock', key: null, headers })
      expect(response.status).toBe(204)
      expect(response.headers.get('Allow')).toBe('GET, HEAD, PATCH, OPTIONS')
    })
  })

  describe('an unknown query parameter receives 400 invalid_parameter', () => {
    test.each(controlOperationIds)('%s', async (operation) => {
      const example = toExample(operation)
      const connection = await open()
      for (const query of ['verbose=1', '__proto__=1', 'x=1&x=2']) {
        const response = await reject(connection, { ...example, path: `${example.path}?${query}` })
        expect(response).toMatchObject({ status: 400, code: 'invalid_parameter' })
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
    ])('%s: the message names the parameter', async (path, name) => {
      const response = await reject(await open(), { path })
      expect(response.code).toBe('invalid_parameter')
      expect(response.message).toContain(name)
    })
  })

  describe('an unreadable body receives an error', () => {
    test.each(controlOperationIds.filter(takesBody))('%s', async (operation) => {
      const example = { ...toExample(operation), json: undefined }
      const connection = await open()
      const codeOf = async (request: ControlRequest) =>
        (await reject(connection, { ...example, ...request })).code

      const isOptional = controlOperations[operation].request?.isOptional === true
      expect(await codeOf({ body: '{"quantity":' })).toBe('invalid_json')
      expect(await codeOf({})).toBe(isOptional ? undefined : 'unsupported_media_type')
      const empty = { body: '', contentType: 'application/json' }
      expect(await codeOf(empty)).toBe(isOptional ? undefined : 'invalid_json')
      expect(await codeOf({ body: new Uint8Array([0x22, 0xff, 0x22]) })).toBe('invalid_json')
      expect(await codeOf({ body: '['.repeat(200_000) })).toBe('invalid_field')
      expect(await codeOf({ body: '{}', contentType: 'text/plain' })).toBe('unsupported_media_type')
      expect(await codeOf({ body: '{}', contentType: null })).toBe('unsupported_media_type')
      const gzip = { 'Content-Encoding': 'gzip' }
      expect(await codeOf({ body: '{}', headers: gzip })).toBe('unsupported_content_encoding')
      expect(await codeOf({ body: '7' })).toBe('invalid_field')
      expect(await codeOf({ body: 'null' })).toBe('invalid_field')
      const deep = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`
      expect(await codeOf({ body: deep })).toBe('invalid_field')
      const wide = `[${'['.repeat(20_000)}${']'.repeat(20_000)}]`
      expect(await codeOf({ body: wide })).toBe('invalid_field')
      expect(await codeOf({ body: '{"__proto__":{"polluted":true}}' })).toBe(
        { putScenario: 'invalid_scenario', addFault: 'missing_field' }[operation as string] ??
          'invalid_field',
      )
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    })

    test.each(controlOperationIds.filter(takesBody))(
      '%s accepts 8 MiB and responds with 413 to one byte more',
      async (operation) => {
        const connection = await open()
        const request = { ...toExample(operation), json: undefined }
        const atLimit = `"${'x'.repeat(8 * mebibyte - 2)}"`
        const read = await reject(connection, { ...request, body: atLimit })
        expect(read.status).toBe(400)
        const rejected = await reject(connection, { ...request, body: `${atLimit} ` })
        expect(rejected).toMatchObject({ status: 413, code: 'payload_too_large' })
        expect(rejected.message).toContain('8388608')
      },
    )
  })

  describe('an invalid body receives an error that names the field', () => {
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
      ['changeClock', { now: '2030-01-01T00:00:00Z', advance: 1 }, 'invalid_field', 'at most one'],
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
      ['replaceFaults', [{ type: 'reset', atMost: 0 }], 'invalid_field', '[0].atMost'],
      ['replaceFaults', [{ type: 'reset', operation: 'x' }], 'invalid_field', '[0].operation'],
      ['replaceFaults', [{ type: 'reset' }, { type: 'x' }], 'invalid_field', '[1].type'],
      ['replaceFaults', Array(101).fill({ type: 'reset' }), 'invalid_field', '100'],
      ['addFault', { type: 'explode' }, 'invalid_field', 'type'],
      ['addFault', { type: 'status' }, 'missing_field', 'status'],
      ['addFault', { type: 'status', status: 200 }, 'invalid_field', 'status'],
      ['addFault', { type: 'delay', delayMs: 1, rate: 10 }, 'invalid_field', 'rate'],
      ['addFault', { type: 'reset', share: 0.5 }, 'invalid_field', 'share'],
      ['addFault', [{ type: 'reset' }], 'invalid_field', 'the body'],
      ['addPet', {}, 'missing_field', 'petId'],
      ['addPet', { petId: 77 }, 'missing_field', 'name'],
      ['addPet', { petId: 1.5, name: 'Rex' }, 'invalid_field', 'petId'],
      ['addPet', { petId: '007', name: 'Rex' }, 'invalid_field', 'petId'],
      ['addPet', { petId: '9223372036854775808', name: 'Rex' }, 'invalid_field', 'petId'],
      ['addPet', { petId: 77, name: 'Rex', quantity: 1.5 }, 'invalid_field', 'quantity'],
      ['addPet', { petId: 77, name: 'Rex', status: 'lost' }, 'invalid_field', 'status'],
      ['addPet', { petId: 77, name: 'Rex', tags: 'a' }, 'invalid_field', 'tags'],
      ['addPet', { petId: 77, name: 'Rex', extra: nested(63) }, 'invalid_field', '64 levels'],
      ['addPet', { petId: 77, name: 'Rex', tags: Array(20_001).fill('') }, 'invalid_field', 'tags'],
      ['addPet', [{ petId: 77, name: 'Rex' }], 'invalid_field', 'an object'],
      ['addPet', { petId: 1, name: 'Rex' }, 'resource_conflict', '1'],
      ['changePet', { quantity: '5' }, 'invalid_field', 'quantity'],
      ['changePet', { name: null }, 'invalid_field', 'name'],
      ['changePet', { petId: 2 }, 'invalid_field', 'petId cannot change: it must be 1'],
      ['changePet', { extra: nested(63) }, 'invalid_field', '64 levels'],
      ['addOrder', { id: 900 }, 'missing_field', 'petId'],
      ['addOrder', { id: 900, petId: 1, shipDate: 'soon' }, 'invalid_field', 'shipDate'],
      ['addOrder', { id: 900, petId: 1, status: 'lost' }, 'invalid_field', 'status'],
      ['addOrder', { id: 1001, petId: 1 }, 'resource_conflict', '1001'],
      ['changeOrder', { complete: 'yes' }, 'invalid_field', 'complete'],
      ['changeOrder', { id: 2 }, 'invalid_field', 'id cannot change: it must be 1001'],
      ['createKey', { plan: 'gold' }, 'invalid_field', 'plan'],
      ['createKey', { label: 'mine' }, 'invalid_field', 'label'],
      ['createKey', { scenario: 'low-stok' }, 'invalid_scenario', 'low-stock'],
      ['putScenario', 'low-stok', 'invalid_scenario', 'low-stock'],
      ['putScenario', [], 'invalid_scenario', 'at least one'],
      ['putScenario', Array(17).fill('default'), 'invalid_scenario', 'at most 16'],
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
      const response = await reject(await open(), { ...toExample(operation), json })
      expect(response.code).toBe(code)
      expect(response.message).toContain(part)
    })

    test.each<[ControlOperationId, string]>([
      ['changeClock', '{PROTO}'],
      ['changeQuota', '{"minute":{PROTO}}'],
      ['replaceFaults', '[{"type":"reset",PROTO}]'],
      ['addFault', '{"type":"reset",PROTO}'],
      ['addPet', '{"petId":77,"name":"Rex",PROTO}'],
      ['addPet', '{"petId":77,"name":"Rex","extra":{PROTO}}'],
      ['changePet', '{PROTO}'],
      ['changePet', '{"extra":[{PROTO}]}'],
      ['addOrder', '{"id":900,"petId":1,PROTO}'],
      ['changeOrder', '{"extra":{PROTO}}'],
      ['createKey', '{"plan":"free",PROTO}'],
      ['putScenario', '{"name":"mine",PROTO}'],
      ['putScenario', '{"name":"mine","pets":[{"petId":1,"name":"Rex",PROTO}]}'],
    ])('%s %s with __proto__ as a field', async (operation, text) => {
      const request = { ...toExample(operation), json: undefined, body: proto(text) }
      const response = await reject(await open(), request)
      expect(response.code).toBe(operation === 'putScenario' ? 'invalid_scenario' : 'invalid_field')
      expect(response.message).toContain('__proto__')
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
        const response = await reject(connection, { method, path, json })
        expect(response.code).toBe(code)
        expect(response.message).toContain(part)
      }
    })

    test('addFault responds with 503 sandbox_capacity to the 101st fault', async () => {
      const connection = await open()
      const json = { type: 'reset' }
      const all = await connection.control({
        operation: 'replaceFaults',
        json: Array(99).fill(json),
      })
      expect(all.json).toHaveLength(99)
      const last = await connection.control({ operation: 'addFault', json })
      expect(last).toMatchObject({ status: 201 })
      expect(last.json).toHaveLength(100)
      const response = await reject(connection, { operation: 'addFault', json })
      expect(response).toMatchObject({ status: 503, code: 'sandbox_capacity' })
      expect(response.message).toContain('100 faults')
      expect(connection.sandbox.world.faults.list()).toHaveLength(100)
    })

    test.each(['gzip', 'br', 'identity, gzip', 'x-unknown'])(
      'a body with Content-Encoding %s receives 415 unsupported_content_encoding',
      async (encoding) => {
        const request = { operation: 'changeClock', json: { advance: 1_000 } } as const
        const headers = { 'Content-Encoding': encoding }
        const response = await reject(await open(), { ...request, headers })
        expect(response).toMatchObject({ status: 415, code: 'unsupported_content_encoding' })
        expect(response.message).toContain(JSON.stringify(encoding))
      },
    )

    test.each(['identity', 'Identity', 'IDENTITY'])(
      'a body with Content-Encoding %s is accepted',
      async (encoding) => {
        const { control } = await open()
        const headers = { 'Content-Encoding': encoding }
        const request = { operation: 'changeClock', json: { advance: 1_000 }, headers } as const
        expect((await control(request)).json).toMatchObject({ now: '2026-01-15T09:00:01.250Z' })
      },
    )

    test('putScenario rejects a scenario that does not list the key of the request', async () => {
      const key = 'acme-live-key-0001'
      const connection = await open({
        scenario: { name: 'acme', apiKeys: [{ key, plan: 'pro' }] },
      })
      const response = await reject(connection, { operation: 'putScenario', key, json: 'default' })
      expect(response).toMatchObject({ status: 400, code: 'invalid_scenario' })
      expect(response.text).not.toContain(key)
      expect((await connection.control({ operation: 'getOverview', key })).status).toBe(200)
    })

    test('addPet and addOrder respond with 503 sandbox_capacity in a full world', async () => {
      const numbers = Array.from({ length: 20_000 }, (_, index) => index + 1)
      const pets = numbers.map((petId) => ({ petId, name: 'Rex' }))
      const orders = numbers.map((id) => ({ id, petId: 1 }))
      const { control } = await open({ scenario: { name: 'full', pets, orders } })
      const pet = await control({ operation: 'addPet', json: { petId: 0, name: 'Rex' } })
      expect(pet).toMatchObject({ status: 503, code: 'sandbox_capacity' })
      const order = await control({ operation: 'addOrder', json: { id: 0, petId: 1 } })
      expect(order).toMatchObject({ status: 503, code: 'sandbox_capacity' })
    })
  })

  describe('a path or method without control operation', () => {
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
    ])('%s %j receives %i without a key', async (method, path, status) => {
      const response = await reject(await open(), { method, path, key: null })
      expect(response.status).toBe(status)
      expect(response.code).toBe(status === 404 ? 'route_not_found' : 'method_not_allowed')
    })

    test('the API address of the service has no control operation', async () => {
      const { send } = await open()
      expect((await send({ path: '/sandbox' })).code).toBe('route_not_found')
      expect(addresses.control.httpPath).toBe('/sandbox')
    })
  })
}
