import { describe, expect, test } from 'vitest'
import { planIds } from '../../../../src/service/plans.js'
import type { Connection } from '../../../control/support.js'
import { startMs } from '../../../support/suite.js'
import type { ControlSuite } from '../suite.js'

interface ShownRequest {
  readonly id: number
  readonly explanation: readonly string[]
  readonly response: { readonly status: number }
}

const minute = (count: string) => `minute window: ${count} of 60, resets 2026-01-15T09:01:00Z`
const free = 'key sbx_free… is on plan Free, world production/default'

const planList = `${planIds.slice(0, -1).join(', ')} or ${planIds.at(-1)}`

/** The journal as listRequests shows it, and the explanation of each entry. */
export function describeJournal({ open }: ControlSuite): void {
  async function list({ control }: Connection, query = ''): Promise<readonly ShownRequest[]> {
    const { json } = await control({ path: `/requests${query}` })
    return json as ShownRequest[] // the client validates its shape
  }

  async function explain(connection: Connection): Promise<readonly string[]> {
    const [newest] = await list(connection)
    return newest?.explanation ?? []
  }

  describe('getJournal', () => {
    test('states how many entries are no longer retained', async () => {
      const { send, control } = await open({ journalCapacity: 2 })
      await send({ operation: 'getPet', petId: '404' })
      for (let sent = 0; sent < 3; sent++) await send({ operation: 'listInventory' })
      await send({ path: '/inventori' })
      const { json } = await control({ operation: 'getJournal' })
      expect(json).toEqual({
        capacity: 2,
        retained: 2,
        newestId: 5,
        dropped: 3,
        codes: ['route_not_found'],
        pending: [],
        requests: [expect.objectContaining({ id: 5 }), expect.objectContaining({ id: 4 })],
      })
    })

    test('has the entries of listRequests, at most as many as the limit', async () => {
      const connection = await open()
      await connection.send({ operation: 'updateInventory', json: { quantity: 2 } })
      await connection.send({ operation: 'getPet' })
      const requests = await list(connection)
      const read = async (query: string) =>
        (await connection.control({ path: `/journal${query}` })).json as { requests: unknown }
      expect((await read('')).requests).toEqual(requests)
      expect((await read('?limit=1')).requests).toEqual(requests.slice(0, 1))
      expect(await read('?limit=0')).toMatchObject({ requests: [], retained: 2 })
    })

    test('counts the dropped entries since the journal was cleared, or the world was reset', async () => {
      const { send, control } = await open({ journalCapacity: 0 })
      const read = async () => (await control({ operation: 'getJournal' })).json
      await send({ operation: 'listInventory' })
      await send({ operation: 'listInventory' })
      expect(await read()).toMatchObject({ retained: 0, newestId: 2, dropped: 2 })
      await control({ operation: 'clearRequests' })
      expect(await read()).toMatchObject({ newestId: 2, dropped: 0 })
      await send({ operation: 'listInventory' })
      expect(await read()).toMatchObject({ newestId: 3, dropped: 1 })
      await control({ operation: 'resetWorld' })
      expect(await read()).toMatchObject({ newestId: 0, dropped: 0 })
    })

    test('lists the codes of the faults', async () => {
      const { control } = await open()
      const json = { type: 'status', status: 503, code: 'out_of_kibble' }
      await control({ operation: 'addFault', json })
      const response = await control({ operation: 'getJournal' })
      expect(response.json).toMatchObject({ codes: ['out_of_kibble'] })
    })

    test('rejects an invalid limit', async () => {
      const { control } = await open()
      const response = await control({ path: '/journal?limit=all' })
      expect(response).toMatchObject({ status: 400, code: 'invalid_parameter' })
      expect(response.message).toContain('limit must be a number from 0 to 99999, found "all"')
    })
  })

  describe('listRequests', () => {
    test('shows request, response, duration, explanation and changes of a request', async () => {
      const connection = await open()
      await connection.send({ operation: 'updateInventory', json: { quantity: 2 } })
      const [request] = await list(connection)
      expect(request).toEqual({
        id: 1,
        requestId: expect.stringMatching(/^[\w-]+-1$/),
        at: new Date(startMs).toISOString(),
        durationMs: expect.any(Number),
        environment: 'production',
        address: 'api',
        userHandled: false,
        operation: 'updateInventory',
        nearestOperation: null,
        apiKey: 'sbx_free…',
        request: {
          method: 'PATCH',
          path: '/inventory/1',
          query: null,
          headers: expect.objectContaining({
            authorization: 'Bearer sbx_free…',
            'content-type': 'application/json',
          }),
          body: '{"quantity":2}',
        },
        response: {
          status: 200,
          aborted: false,
          code: null,
          headers: expect.objectContaining({ 'x-ratelimit-remaining': '59' }),
          body: '{"petId":1,"quantity":2,"status":"available"}',
        },
        explanation: [free, minute('1st'), 'updateInventory responds with 200'],
        incomplete: expect.any(Array),
        changes: [{ type: 'quantity.set', petId: '1', from: 4, to: 2 }],
      })
    })

    test('lists the newest first, at most 100 or the given limit', async () => {
      const connection = await open()
      for (let sent = 0; sent < 120; sent++) {
        await connection.send({ operation: 'listInventory', key: 'sbx_pro' })
      }
      const ids = (await list(connection)).map(({ id }) => id)
      expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => 120 - index))
      expect((await list(connection, '?limit=2')).map(({ id }) => id)).toEqual([120, 119])
      expect(await list(connection, '?limit=99999')).toHaveLength(120)
    })

    test('retains as many entries as the capacity of the journal', async () => {
      const connection = await open({ journalCapacity: 3 })
      for (let sent = 0; sent < 5; sent++) await connection.send({ operation: 'listInventory' })
      expect((await list(connection)).map(({ id }) => id)).toEqual([5, 4, 3])
    })

    test('filters by operation, status, time and whether an operation matched', async () => {
      const connection = await open()
      const { send, control } = connection
      await send({ operation: 'listInventory' })
      await send({ operation: 'getPet', petId: '404' })
      await control({ operation: 'changeClock', json: { advance: 'PT5S' } })
      await send({ operation: 'getPet' })
      await send({ path: '/inventori' })
      const ids = async (query: string) => (await list(connection, query)).map(({ id }) => id)
      expect(await ids('?operation=getPet')).toEqual([3, 2])
      expect(await ids('?status=404')).toEqual([4, 2])
      expect(await ids('?operation=getPet&status=404')).toEqual([2])
      expect(await ids(`?since=${new Date(startMs + 5_000).toISOString()}`)).toEqual([4, 3])
      expect(await ids('?since=2026-01-15T10:00:05.250%2B01:00')).toEqual([4, 3])
      expect(await ids('?unmatched=true')).toEqual([4])
      expect(await ids('?unmatched=false')).toEqual([3, 2, 1])
      expect(await ids('?operation=sendMessage')).toEqual([])
    })

    test('filters by a class of statuses, a text and the end of a period', async () => {
      const connection = await open()
      const { send, control } = connection
      await send({ operation: 'listInventory' })
      await send({ operation: 'getPet', petId: '404' })
      await control({ operation: 'changeClock', json: { advance: 'PT5S' } })
      await send({ operation: 'updateInventory', json: { quantity: 25 } })
      await send({ path: '/inventori?Colour=red' })
      const ids = async (query: string) => (await list(connection, query)).map(({ id }) => id)
      expect(await ids('?status=4xx')).toEqual([4, 2])
      expect(await ids('?status=2xx&text=patch')).toEqual([3])
      expect(await ids(`?until=${new Date(startMs).toISOString()}`)).toEqual([2, 1])
      expect(await ids(`?until=${new Date(startMs - 1).toISOString()}`)).toEqual([])
      expect(await ids('?text=PATCH%20/INVENTORY/')).toEqual([3])
      expect(await ids('?text=INVENTORI?colour')).toEqual([4])
      expect(await ids('?text=pet_not_found')).toEqual([2])
      expect(await ids('?text=%22quantity%22:25')).toEqual([3])
      expect(await ids('?text=content-type:%20application/json')).toContain(3)
      expect(await ids('?text=minute%20window:%202nd')).toEqual([2])
      expect(await ids('?text=no-such-text')).toEqual([])
    })

    test('lists the pages before and after an id', async () => {
      const connection = await open()
      for (let sent = 0; sent < 7; sent++) await connection.send({ operation: 'listInventory' })
      const ids = async (query: string) => (await list(connection, query)).map(({ id }) => id)
      expect(await ids('?limit=3')).toEqual([7, 6, 5])
      expect(await ids('?limit=3&before=5')).toEqual([4, 3, 2])
      expect(await ids('?limit=3&before=2')).toEqual([1])
      expect(await ids('?before=1')).toEqual([])
      expect(await ids('?after=5')).toEqual([7, 6])
      expect(await ids('?after=2&before=5&status=200')).toEqual([4, 3])
    })

    test.each([
      ['before=-1', 'before must be the id of an entry, a number from 0 to 999999999999999'],
      ['after=1e3', 'after must be the id of an entry, a number from 0 to 999999999999999'],
      ['status=6xx', 'status must be a status such as 429, or a class such as 4xx, found "6xx"'],
      ['until=later', 'until must be an ISO 8601 date and time'],
      ['text=', 'text must be a text of at least 1 character'],
      [`text=${'x'.repeat(201)}`, 'text must be a text of at most 200 characters'],
      ['from=1', 'from'],
    ])('rejects ?%s', async (query, message) => {
      const { control } = await open()
      const response = await control({ path: `/requests?${query}` })
      expect(response).toMatchObject({ status: 400, code: 'invalid_parameter' })
      expect(response.message).toContain(message)
    })

    test.each([
      ['GET', '/inventori', 'listInventory'],
      ['GET', '/inventory/', 'listInventory'],
      ['GET', '/INVENTORY', 'listInventory'],
      ['PUT', '/inventory/7', 'updateInventory'],
      ['GET', '/pet/7', 'getPet'],
      ['GET', '/store/order', 'listOrders'],
      ['GET', '/favicon.ico', null],
    ])('names the operation that is nearest to %s %s: %s', async (method, path, nearest) => {
      const connection = await open()
      await connection.send({ method, path })
      expect(await list(connection)).toMatchObject([
        { operation: null, nearestOperation: nearest, request: { method, path } },
      ])
    })

    test('rejects an unknown operation and lists the known ones', async () => {
      const { control } = await open()
      const { status, code, message } = await control({ path: '/requests?operation=nope' })
      expect({ status, code }).toEqual({ status: 400, code: 'invalid_parameter' })
      expect(message).toContain('operation must be "listInventory" or "updateInventory" or ')
    })

    test('shows the query and masks credentials in it', async () => {
      const connection = await open()
      const key = 'sbx_free_default_own'
      const path = '/inventory?page=2&from=sbx_free_default_very-secret-label&api_key=other'
      await connection.send({ path, key })
      const { json } = await connection.control({ operation: 'listRequests', key })
      expect(json).toMatchObject([
        { request: { path: '/inventory', query: 'page=2&from=sbx_free_def…&api_key=…' } },
      ])
    })

    test('shows a connection reset with status 0', async () => {
      const connection = await open()
      await connection.control({ operation: 'replaceFaults', json: [{ type: 'reset' }] })
      await expect(connection.send({ operation: 'listInventory' })).rejects.toThrow()
      expect(await list(connection, '?status=0')).toMatchObject([
        { response: { status: 0, code: null, body: null } },
      ])
    })

    test('shortens long bodies and masks keys', async () => {
      const connection = await open()
      const key = 'sbx_free_default_very-secret-label'
      const json = { message: 'x'.repeat(10_000) }
      await connection.send({ operation: 'sendMessage', key, json })
      const { text } = await connection.control({ operation: 'listRequests', key })
      expect(text).toContain('"apiKey":"sbx_free_def…"')
      expect(text).not.toContain(key)
      expect(text).toContain('(10014 bytes)')
    })

    test('lists no control request', async () => {
      const connection = await open()
      await connection.control({ operation: 'getOverview' })
      await connection.control({ operation: 'changeClock', json: { advance: 1 } })
      expect(await list(connection)).toEqual([])
    })
  })

  describe('clearRequests', () => {
    test('clears the journal only; ids continue', async () => {
      const connection = await open()
      const { send, control, sandbox } = connection
      await send({ operation: 'sendMessage' })
      const before = sandbox.world.snapshot()
      expect((await control({ operation: 'clearRequests' })).json).toEqual({ removed: 1 })
      expect(await list(connection)).toEqual([])
      expect(sandbox.world.snapshot()).toEqual(before)
      await send({ operation: 'listInventory' })
      expect((await list(connection)).map(({ id }) => id)).toEqual([2])
    })
  })

  describe('the explanation of a request', () => {
    test('names a missing key', async () => {
      const connection = await open()
      await connection.send({ operation: 'listInventory', key: null })
      expect(await explain(connection)).toEqual([
        'rejected with 401 missing_api_key: the Authorization header must be "Bearer <API_KEY>", found none',
      ])
    })

    test('names the form of an invalid key, and masks the key', async () => {
      const connection = await open()
      await connection.send({ operation: 'listInventory', key: 'guessed-key-0001' })
      expect(await explain(connection)).toEqual([
        `rejected with 401 invalid_api_key: the API key guessed-… must be sbx_<plan>[_<scenario>[_<label>]], where <plan> is ${planList} and <label> has 1 to 64 letters, digits or -`,
      ])
    })

    test('names the exhausted window and its rejections', async () => {
      const connection = await open()
      await connection.control({ operation: 'changeQuota', json: { minute: { remaining: 0 } } })
      await connection.send({ operation: 'listInventory' })
      expect(await explain(connection)).toEqual([
        free,
        minute('61st'),
        '1 of 10 rejections; 9 more ban the key for 300 s',
        'rejected with 429 rate_limit_exceeded: the limit of 60 requests per minute of plan Free is used up; retry after 60 seconds',
      ])
    })

    test('names the end of a ban', async () => {
      const connection = await open()
      await connection.control({ operation: 'changeQuota', json: { ban: { seconds: 90 } } })
      await connection.send({ operation: 'listInventory' })
      expect(await explain(connection)).toEqual([
        free,
        'ban: the key is banned until 2026-01-15T09:01:30Z',
        'rejected with 429 api_key_banned: the API key is banned until 2026-01-15T09:01:30Z; retry after 90 seconds',
      ])
    })

    test.each([
      [{ type: 'status', status: 503 }, 'responds with 503'],
      [{ type: 'delay', delayMs: 1_500 }, 'waits 1500 ms'],
      [{ type: 'reset' }, 'resets the connection'],
      [{ type: 'truncate', share: 0.25 }, 'truncates the body after 25 %'],
    ])('names the fault %j', async (fault, line) => {
      const connection = await open()
      await connection.control({ operation: 'replaceFaults', json: [fault] })
      await connection.send({ operation: 'listInventory', expectsFault: true }).catch(() => {})
      expect(await explain(connection)).toEqual(
        expect.arrayContaining([free, minute('1st'), `fault: ${line}`]),
      )
    })

    test('names the preference', async () => {
      const connection = await open()
      const headers = { Prefer: 'code=404' }
      await connection.send({ operation: 'getPet', headers })
      expect(await explain(connection)).toEqual([
        free,
        minute('1st'),
        'preference: code=404',
        'rejected with 404 pet_not_found: requested by Prefer: code=404',
      ])
    })

    test('names the world of a labelled key', async () => {
      const connection = await open()
      const key = 'sbx_pro_low-stock_ci-7'
      await connection.send({ operation: 'listInventory', key, address: 'staging' })
      const { json } = await connection.control({
        operation: 'listRequests',
        key,
        environment: 'staging',
      })
      expect(json).toMatchObject([
        {
          explanation: [
            'key sbx_pro_low-… is on plan Pro, world staging/low-stock/ci-7',
            expect.stringContaining('1st of 300'),
            'listInventory responds with 200',
          ],
        },
      ])
    })
  })
}
