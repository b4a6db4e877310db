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

test.for<[string, RequestQuery, RequestQuery]>([
  [
    'path',
    { path: expect.stringMatching(/^\/inventory\/\d+$/) },
    { path: expect.stringMatching(/^\/pets/) },
  ],
  ['status', { status: expect.any(Number) }, { status: expect.any(String) }],
  [
    'method',
    { method: expect.stringMatching(/^(PUT|PATCH)$/) },
    { method: expect.stringContaining('GET') },
  ],
  ['the method in any case', { method: 'patch' }, { method: 'get' }],
  ['code', { code: expect.stringMatching(/^invalid_/) }, { code: expect.stringMatching(/^pet_/) }],
  [
    'query',
    { query: expect.objectContaining({ page: '2' }) },
    { query: expect.objectContaining({ page: '3' }) },
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
    'a field of the body',
    { body: { tags: expect.arrayContaining(['a']) } },
    { body: { tags: expect.arrayContaining(['b']) } },
  ],
])('a condition is compared with %s', async ([, matching, other], { sandbox }) => {
  await send(sandbox)
  expect(sandbox).toHaveReceived(matching)
  expect(sandbox).not.toHaveReceived(other)
})

describe('a condition', () => {
  test('on the code can name the code of a fault as long as the world has the fault or its response', async ({
    sandbox,
  }) => {
    const wanted = { code: 'maintenance' }
    sandbox.world.faults.add({ type: 'status', status: 503, ...wanted, atMost: 1 })
    expect(sandbox).not.toHaveReceived(wanted)
    await sandbox.fetch('/inventory')
    expect(sandbox).toHaveReceived(wanted)
    sandbox.world.requests.clear()
    expect(messageOf(() => expect(sandbox).not.toHaveReceived(wanted))).toContain(
      'code must be a code of an Error body, found "maintenance"',
    )
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

  test('with a bigint compares all digits', async ({ sandbox }) => {
    const body = '{"quantity":9223372036854775807}'
    await sandbox.fetch('/inventory/1', { method: 'PATCH', body })
    expect(sandbox).toHaveReceived({ body: { quantity: 9223372036854775807n } })
    expect(sandbox).not.toHaveReceived({ body: { quantity: 9223372036854776000n } })
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
