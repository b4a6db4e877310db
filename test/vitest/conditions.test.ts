import { describe, expect } from 'vitest'
import { createSandboxServer } from '../../src/server.js'
import { type RequestQuery, type TestSandbox, test } from '../../src/vitest.js'
import { messageOf, setQuantity } from './requests.js'

type Filter = Exclude<RequestQuery, string>

/** Sends a request that the conditions below are about. */
async function send(sandbox: TestSandbox): Promise<void> {
  const headers = { 'Content-Type': 'application/json', 'X-Trace': 't-1' }
  const init = { method: 'PATCH', headers, body: '{"quantity":-5,"tags":["a"]}' }
  await sandbox.fetch('/inventory/1?page=2&tag=a&tag=b', init)
}

describe('an asymmetric matcher', () => {
  test.for([
    [
      'path',
      { path: expect.stringMatching(/^\/inventory\/\d+$/) },
      { path: expect.stringMatching(/^\/pets/) },
    ],
    [
      'path, negated',
      { path: expect.not.stringContaining('pets') },
      { path: expect.not.stringContaining('inv') },
    ],
    ['status', { status: expect.any(Number) }, { status: expect.any(String) }],
    [
      'method',
      { method: expect.stringMatching(/^(PUT|PATCH)$/) },
      { method: expect.stringContaining('GET') },
    ],
    [
      'code',
      { code: expect.stringMatching(/^invalid_/) },
      { code: expect.stringMatching(/^pet_/) },
    ],
    [
      'query',
      { query: expect.objectContaining({ page: '2' }) },
      { query: expect.objectContaining({ page: '3' }) },
    ],
    [
      'a query parameter',
      { query: { page: expect.stringMatching(/\d/) } },
      { query: { page: expect.stringMatching(/x/) } },
    ],
    [
      'headers',
      { headers: expect.objectContaining({ 'x-trace': 't-1' }) },
      { headers: expect.objectContaining({ 'x-trace': 't' }) },
    ],
    [
      'headers, negated',
      { headers: expect.not.objectContaining({ 'x-trace': 't' }) },
      { headers: expect.not.objectContaining({ 'x-trace': 't-1' }) },
    ],
    [
      'a header',
      { headers: { 'X-TRACE': expect.any(String) } },
      { headers: { 'X-Trace': expect.any(Number) } },
    ],
    [
      'body',
      { body: expect.objectContaining({ quantity: -5 }) },
      { body: expect.objectContaining({ quantity: 5 }) },
    ],
    [
      'a field of the body',
      { body: { tags: expect.arrayContaining(['a']) } },
      { body: { tags: expect.arrayContaining(['b']) } },
    ],
  ] as [string, RequestQuery, RequestQuery][])(
    'is compared with %s',
    async ([, matching, other], { sandbox }) => {
      await send(sandbox)
      expect(sandbox).toHaveReceived(matching)
      expect(messageOf(() => expect(sandbox).not.toHaveReceived(matching))).toContain('but it did')
      expect(sandbox).not.toHaveReceived(other)
      expect(messageOf(() => expect(sandbox).toHaveReceived(other))).toContain('but it did not')
    },
  )

  test.for([
    [
      { operation: expect.any(String) },
      'operation must be the id of an operation of the service, found an instance of Any',
    ],
    [
      { sinceMs: expect.any(Number) },
      'sinceMs must be a number of milliseconds since the epoch, found an instance of Any',
    ],
    [
      { unmatched: expect.anything() },
      'unmatched must be true or false, found an instance of Anything',
    ],
    [
      expect.objectContaining({ status: 200 }),
      'the filter must be a plain object, found an instance of ObjectContaining',
    ],
  ])('is rejected elsewhere: %#', ([query, message], { sandbox }) => {
    for (const assert of [expect(sandbox), expect(sandbox).not]) {
      expect(messageOf(() => assert.toHaveReceived(query as RequestQuery))).toContain(message) // as from JavaScript
    }
  })
})

describe('a condition', () => {
  test('on the method is case-insensitive', async ({ sandbox }) => {
    await send(sandbox)
    expect(sandbox).toHaveReceived({ method: 'patch' })
    expect(sandbox).not.toHaveReceived({ method: 'get' })
  })

  test('on the code is rejected if no response can have it, with the nearest code', async ({
    sandbox,
  }) => {
    for (const assert of [expect(sandbox), expect(sandbox).not]) {
      expect(messageOf(() => assert.toHaveReceived('getPet', { code: 'pet_notfound' }))).toContain(
        'code must be a code of an Error body, found "pet_notfound"; did you mean "pet_not_found"?',
      )
    }
    expect(sandbox).not.toHaveReceived('getPet', { code: 'service_unavailable' })
    sandbox.world.faults.add({ type: 'status', status: 503, code: 'maintenance', atMost: 1 })
    expect(sandbox).not.toHaveReceived({ code: 'maintenance' })
    await sandbox.fetch('/inventory')
    // The fault is used up.
    expect(sandbox).toHaveReceived({ code: 'maintenance' })
    sandbox.world.requests.clear()
    expect(messageOf(() => expect(sandbox).not.toHaveReceived({ code: 'maintenance' }))).toContain(
      'code must be a code of an Error body, found "maintenance"',
    )
  })

  test.for([
    [
      { path: 'inventory' },
      'path must be a path below the base address, such as "/inventory/7" or an asymmetric matcher, found "inventory"',
    ],
    [{ path: '/inventory?page=2' }, 'path must be a path below'],
    [
      { query: { page: 2 } },
      'query.page must be a string or an array of strings or an asymmetric matcher, found 2 (number)',
    ],
    [
      { headers: { 'x-a': 2 } },
      'headers.x-a must be a string or an asymmetric matcher, found 2 (number)',
    ],
  ])('that can never be met is rejected: %j', ([expected, message], { sandbox }) => {
    for (const assert of [expect(sandbox), expect(sandbox).not]) {
      const run = () => assert.toHaveReceived('listInventory', expected as object) // as from JavaScript
      expect(messageOf(run)).toContain(message)
    }
  })

  test('on a repeated query parameter considers all its values', async ({ sandbox }) => {
    await send(sandbox)
    for (const tag of [
      'a',
      'b',
      ['a', 'b'],
      expect.arrayContaining(['b']),
      expect.stringMatching('a'),
    ]) {
      expect(sandbox).toHaveReceived({ query: { tag } })
    }
    for (const tag of ['c', ['a'], ['b', 'a'], expect.not.stringContaining('a')]) {
      expect(sandbox).not.toHaveReceived({ query: { tag } })
    }
    expect(sandbox).toHaveReceived({ query: { page: ['2'], none: undefined } })
  })

  test('with a bigint compares all digits, and is shown in the message', async ({ sandbox }) => {
    const body = '{"quantity":9223372036854775807}'
    await sandbox.fetch('/inventory/1', { method: 'PATCH', body })
    expect(sandbox).toHaveReceived({ body: { quantity: 9223372036854775807n } })
    const rounded = { body: { quantity: 9223372036854776000n } }
    expect(messageOf(() => expect(sandbox).toHaveReceived(rounded))).toContain(
      'body {"quantity":9223372036854776000n}',
    )
    await setQuantity(sandbox, 5)
    expect(sandbox).toHaveReceived({ body: { quantity: 5n } }, { times: 1 })
  })
})

describe('what the journal does not have in full', () => {
  const long = 'x'.repeat(5_000)
  const cases: [string, RequestInit & { path?: string }, Filter, Filter | undefined][] = [
    [
      'a long body',
      { body: JSON.stringify({ long, quantity: 7 }) },
      { body: { quantity: 7 } },
      undefined,
    ],
    ['a long text', { body: long }, { body: long }, { body: 'y' }],
    [
      'a long header',
      { headers: { 'x-long': long } },
      { headers: { 'x-long': long } },
      { headers: { 'x-long': 'y' } },
    ],
    [
      'a matched long header',
      { headers: { 'x-long': long } },
      { headers: { 'x-long': expect.stringMatching(/x$/) } },
      undefined,
    ],
    [
      'a header after 50 others',
      {
        headers: Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at + 100}`, 'a'])),
      },
      { headers: { 'x-159': 'a' } },
      { headers: { 'x-100': 'b' } },
    ],
    ['a long query', { path: `/inventory/1?a=${long}&b=1` }, { query: { b: '1' } }, undefined],
    [
      'a long path',
      { path: `/inventory/${long}` },
      { path: `/inventory/${long}` },
      { path: '/inventory/7' },
    ],
    [
      'a masked field',
      { body: '{"password":"open sesame"}' },
      { body: { password: 'open sesame' } },
      { body: { password: undefined } },
    ],
    [
      'a masked text',
      { body: '{"password":"open sesame"' },
      { body: '{"password":"open sesame"' },
      { body: 'open' },
    ],
    ['a masked number', { body: '{"key":5}' }, { body: { key: 5 } }, { body: { key: undefined } }],
    [
      'a long header with a matcher of all headers',
      { headers: { 'x-long': long } },
      { headers: expect.objectContaining({ 'x-long': long }) },
      { headers: expect.objectContaining({ 'x-other': 'a' }) },
    ],
  ]
  test.for(cases)(
    'is not compared: %s',
    async ([, { path = '/inventory/1', ...init }, query, other], { sandbox }) => {
      await sandbox.fetch(path, { method: 'PATCH', ...init })
      for (const assert of [expect(sandbox), expect(sandbox).not]) {
        expect(messageOf(() => assert.toHaveReceived(query))).toContain('cannot tell whether')
      }
      expect(() => sandbox.world.requests.find(query)).toThrow(
        'cannot compare the journal entry #1',
      )
      // A difference in the part that the journal has is certain.
      if (other) expect(sandbox).not.toHaveReceived(other)
      expect(sandbox).not.toHaveReceived({ ...query, status: 418 })
    },
  )

  test('was sent nevertheless, if it is truncated', async ({ sandbox }) => {
    await sandbox.fetch('/inventory', { headers: { 'x-long': long } })
    expect(sandbox).not.toHaveReceived({ headers: { 'x-long': undefined } })
  })

  test('does not matter to a matcher of every string', async ({ sandbox }) => {
    await sandbox.fetch('/inventory', { headers: { 'x-long': long } })
    expect(sandbox).toHaveReceived({ headers: { 'x-long': expect.any(String) } })
  })

  test('is not compared in a shared world over HTTP, which retains few headers', async ({
    sharedSandbox,
  }) => {
    const server = await createSandboxServer({ sandbox: sharedSandbox })
    const url = await server.listen({ port: 0 })
    const headers = { Authorization: 'Bearer sbx_free', 'X-Trace': 't-1' }
    await fetch(`${url}/v1/inventory?page=2`, { headers })
    await server.close()
    for (const query of [{ headers: { 'x-trace': 't-1' } }, { query: { page: '2' } }]) {
      expect(messageOf(() => expect(sharedSandbox).not.toHaveReceived(query))).toContain(
        'cannot tell',
      )
    }
  })
})
