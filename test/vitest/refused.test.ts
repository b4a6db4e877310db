import { describe, expect } from 'vitest'
import { connect } from '../../src/connect.js'
import { expect as playwrightExpect } from '../../src/playwright.js'
import { type TestSandbox, test } from '../../src/vitest.js'
import { setQuantity } from './requests.js'

/** Expects that a query, and a matcher that would pass with `not`, refuse a filter. */
function expectRefused({ world }: TestSandbox, filter: object, message: string | RegExp): void {
  for (const compare of [
    () => world.requests.find(filter),
    () => expect(world).not.toHaveReceived(filter),
  ]) {
    expect(compare).toThrow(TypeError)
    expect(compare).toThrow(message)
  }
}

test('every query and every matcher refuses a wrong filter', async ({ sandbox }) => {
  const { apiKey, fetch } = sandbox
  const remote = await connect({ url: new URL(sandbox.baseUrl).origin, apiKey, fetch })
  const { requests } = sandbox.world
  const filter = { status: '4xx' } as object // as from JavaScript
  for (const compare of [
    () => requests.find({}, filter),
    () => requests.count(filter),
    () => requests.waitFor(filter),
    () => expect(sandbox).toHaveReceived({}, filter),
    () => expect(sandbox).toHaveReceivedInOrder([filter]),
    () => expect(sandbox).not.toHaveReceivedInOrder([{}, filter]),
    () => playwrightExpect(sandbox).not.toHaveReceived(filter),
    () => expect(remote).not.toHaveReceived(filter),
    () => remote.requests.find(filter),
    () => remote.requests.count(filter),
    async () => await remote.requests.waitFor(filter),
  ]) {
    const refused = expect(async () => await compare()).rejects
    await refused.toThrow(
      new TypeError(
        'status must be 0 or a status such as 429 or an asymmetric matcher, found "4xx" (string)',
      ),
    )
  }
  remote.close()
})

const cyclic: { self?: object } = {}
cyclic.self = cyclic

/** Values that neither JSON nor a part of a request can be, by their name. */
const foreign: Readonly<Record<string, unknown>> = {
  'a Map': new Map([[1, 99]]),
  'a Set': new Set([99]),
  'a RegExp': /99/,
  'a function': () => 99,
  'an inherited field': Object.create({ quantity: 99 }),
  'a symbol': Symbol('99'),
  'an iterator': [['quantity', '99']].values(),
  'a boxed string': Object('99'),
}

/** Values that JSON can contain, or that have a `toJSON`, but that are no pairs and no condition. */
const others = { null: null, 'a bigint': 5n, 'a Date': new Date() }

/** Values that cannot be part of JSON. */
const notJson: Readonly<Record<string, unknown>> = {
  ...foreign,
  Headers: new Headers({ quantity: '99' }),
  NaN: Number.NaN,
  'a number that has lost digits': 2 ** 53,
  'a cycle': cyclic,
  'an array with a hole': new Array(1),
  'a toJSON that returns a function': { toJSON: () => () => 99 },
}

describe('a value that cannot be compared is refused', () => {
  test.for(Object.entries(notJson))('in the body: %s', ([, field], { sandbox }) => {
    const message = /^body\.list\[0\]\.field\S* must be .+, found /
    expectRefused(sandbox, { body: { list: [{ field }] } }, message)
  })

  const noPairs = { ...foreign, ...others, 'a string': 'a=b', 'a triple': [['a', 'b', 'c']] }
  test.for(Object.entries(noPairs))('as headers and as query: %s', ([, value], { sandbox }) => {
    expectRefused(sandbox, { headers: value }, /^headers\S* must be .+, found /)
    expectRefused(sandbox, { query: value }, /^query\S* must be .+, found /)
  })

  test.for(['status', 'code', 'method', 'path', 'sinceMs', 'unmatched', 'operation'])(
    'as %s',
    (field, { sandbox }) => {
      const values = Object.values({ ...foreign, ...others, 'an object': { a: '1' } })
      for (const value of values) {
        expectRefused(sandbox, { [field]: value }, new RegExp(`^${field} must be .+, found `))
      }
    },
  )

  test('as the filter', ({ sandbox }) => {
    for (const value of Object.values({ ...foreign, ...others, 'an array': [] })) {
      const filter = value as object // as from JavaScript
      expectRefused(sandbox, filter, /^the filter must be a plain object, found /)
      expect(() => sandbox.world.requests.find({}, filter)).toThrow(
        /^the second argument must be a plain object, found /,
      )
    }
  })
})

describe('a value that can never match is refused', () => {
  const operation = 'updateInventory'
  const path = 'path must be a path below the base address, such as "/inventory/7"'
  test.for<[string, object, string]>([
    ['a template', { operation, path: '/inventory/{petId}' }, path],
    ['a path with the path of the address', { path: '/v1/inventory/1' }, path],
    ['a path without a slash', { path: 'inventory' }, `${path} or an asymmetric matcher, found "i`],
    ['a path with a query', { path: '/inventory?page=2' }, path],
    ['a time that no Date has', { sinceMs: 9e15 }, 'sinceMs must be'],
    ['a matcher as the time', { sinceMs: expect.any(Number) }, 'found an instance of Any'],
    ['a matcher as the filter', expect.objectContaining({ status: 200 }), 'ObjectContaining'],
    ['a header twice', { headers: { 'X-A': 'a', 'x-a': undefined } }, 'headers.x-a must be'],
    ['a header that is no string', { headers: { 'x-a': 2 } }, 'headers.x-a must be a string or'],
    [
      'a query parameter that is no string',
      { query: { page: 2 } },
      'query.page must be a string or an array of strings or an asymmetric matcher, found 2 (number)',
    ],
  ])('%s', ([, filter, message], { sandbox }) => {
    expectRefused(sandbox, filter, message)
  })

  test('the same condition in both arguments', async ({ sandbox }) => {
    await setQuantity(sandbox, 5)
    const both = [{ status: 200 }, { status: 400 }] as const
    const message = 'both arguments have the condition status'
    expect(() => expect(sandbox).not.toHaveReceived(...both)).toThrow(message)
    expect(() => sandbox.world.requests.find(...both)).toThrow(message)
    // An undefined condition is none, and does not replace the other one.
    expect(sandbox).not.toHaveReceived({ status: 400 }, { status: undefined })
  })
})

test('an argument that a matcher would ignore is refused, with and without not', ({ sandbox }) => {
  const more = (...args: unknown[]) => args as [] // as from JavaScript
  for (const assert of [expect(sandbox), expect(sandbox).not, playwrightExpect(sandbox)]) {
    for (const [run, message] of [
      [
        () => assert.toHaveReceived('updateInventory', {}, ...more({ times: 5 })),
        'the third argument of toHaveReceived must be omitted, found an object',
      ],
      [
        () => assert.toHaveReceivedInOrder(['listInventory'], ...more(['listOrders'])),
        'the second argument of toHaveReceivedInOrder must be omitted, found an array of 1',
      ],
      [
        () => assert.toHaveReceivedNothingUnmatched(...more('listOrders')),
        'the argument of toHaveReceivedNothingUnmatched must be omitted, found "listOrders" (string)',
      ],
    ] as const) {
      expect(run).toThrow(new TypeError(message))
    }
  }
})

describe('is read as what it says', () => {
  test.for<[string, string, (trace: string) => object]>([
    ['headers', 'Headers', (trace) => new Headers({ 'X-Trace': trace })],
    ['headers', 'a Map', (trace) => new Map([['X-Trace', trace]])],
    ['headers', 'pairs', (trace) => [['x-trace', trace]]],
    ['headers', 'an object', (trace) => ({ 'X-TRACE': trace })],
    ['query', 'URLSearchParams', (trace) => new URLSearchParams({ trace })],
    ['query', 'FormData', (trace) => toFormData({ trace })],
    ['body', 'an object', (trace) => ({ trace })],
    ['body', 'an object with toJSON', (trace) => ({ toJSON: () => ({ trace }) })],
    ['body', 'a field with toJSON', (trace) => ({ trace: { toJSON: () => trace } })],
    ['body', 'no prototype', (trace) => Object.assign(Object.create(null), { trace })],
    ['body', 'an array of a subclass', (trace) => ({ list: Items.of(trace) })],
  ])('%s: %s', async ([field, , toCondition], { sandbox }) => {
    const headers = { 'X-Trace': 't-1' }
    const body = JSON.stringify({ trace: 't-1', list: ['t-1'] })
    await sandbox.fetch('/inventory/1?trace=t-1', { method: 'PATCH', headers, body })
    expect(sandbox).toHaveReceived('updateInventory', { [field]: toCondition('t-1') })
    expect(sandbox).not.toHaveReceived('updateInventory', { [field]: toCondition('WRONG') })
  })

  test('a repeated name', async ({ sandbox }) => {
    const pairs = (...values: string[]): [string, string][] => values.map((value) => ['x-a', value])
    await sandbox.fetch('/inventory?tag=a&tag=b', { headers: pairs('1', '2') })
    const query = new URLSearchParams('tag=a&tag=b')
    expect(sandbox).toHaveReceived('listInventory', { query, headers: pairs('1', '2') })
    const reversed = new URLSearchParams('tag=b&tag=a')
    expect(sandbox).not.toHaveReceived('listInventory', { query: reversed })
    expect(sandbox).not.toHaveReceived('listInventory', { headers: pairs('2', '1') })
  })

  test('a matcher in a Map, and undefined', async ({ sandbox }) => {
    await sandbox.fetch('/inventory?page=2')
    const query = new Map([
      ['page', expect.stringMatching(/\d/)],
      ['other', undefined],
    ])
    expect(sandbox).toHaveReceived('listInventory', { query })
  })

  test('a string as the body as it was sent', async ({ sandbox }) => {
    await setQuantity(sandbox, 5)
    expect(sandbox).toHaveReceived('updateInventory', { body: '{"quantity":5}' })
    expect(sandbox).not.toHaveReceived('updateInventory', { body: '{"quantity": 5}' })
  })

  test('a matcher of strings as the body only if the body is not JSON', async ({ sandbox }) => {
    const body = expect.stringContaining('quantity')
    await setQuantity(sandbox, 5)
    expect(sandbox).not.toHaveReceived('updateInventory', { body })
    await sandbox.fetch('/inventory/1', { method: 'PATCH', body: 'quantity=5' })
    expect(sandbox).toHaveReceived('updateInventory', { body, times: 1 })
  })

  test('a Date as its toJSON, and negative zero', async ({ sandbox }) => {
    const at = new Date('2026-01-15T09:00:00Z')
    await sandbox.fetch('/inventory/1', { method: 'PATCH', body: JSON.stringify({ at, zero: 0 }) })
    expect(sandbox).toHaveReceived('updateInventory', { body: { at, zero: -0 } })
    expect(sandbox).not.toHaveReceived('updateInventory', { body: { at: new Date(0) } })
  })
})

class Items extends Array<string> {}

function toFormData(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

test.for<[object, string]>([
  [{ query: { page: undefined, a: '1' } }, 'query {"page":undefined,"a":"1"}'],
  [{ path: expect.not.stringContaining('inv') }, 'path StringNotContaining "inv"'],
  [{ body: expect.objectContaining({ a: 1n }) }, 'body ObjectContaining {"a":1n}'],
  [{ body: { a: expect.closeTo(5, 1) } }, 'body {"a":NumberCloseTo 5 (1 digit)}'],
  [{ body: { a: [null, true, expect.any(Number)] } }, 'body {"a":[null,true,Any<Number>]}'],
])('a message names what was compared: %#', async ([filter, shown], { sandbox }) => {
  await sandbox.fetch('/inventory')
  expect(() => expect(sandbox).toHaveReceived(filter)).toThrow(shown)
})

describe('a matcher on a masked value is refused', () => {
  test.for<[string, object]>([
    ['headers', { authorization: expect.stringMatching(/…$/) }],
    ['headers', expect.objectContaining({ authorization: expect.stringMatching(/…$/) })],
    ['query', { token: expect.stringMatching(/./) }],
    ['body', { text: expect.stringMatching(/…$/) }],
    ['body', { password: expect.any(String) }],
    ['body', { apiKey: expect.anything() }],
    ['body', expect.objectContaining({ password: '…' })],
  ])('%s %#', async ([field, wanted], { sandbox }) => {
    const text = 'my key is sbx_free_default_x'
    const body = JSON.stringify({ password: 'open sesame', secret: 5, apiKey: null, text })
    await sandbox.fetch('/inventory/1?token=abc', { method: 'PATCH', body })
    for (const run of [
      () => expect(sandbox).toHaveReceived({ [field]: wanted }),
      () => expect(sandbox).not.toHaveReceived({ [field]: wanted }),
      () => sandbox.world.requests.find({ [field]: wanted }),
    ]) {
      expect(run).toThrow(/the journal does not have the whole /)
    }
  })

  test('such as every string on a long body, of which the start may begin JSON', async ({
    sandbox,
  }) => {
    const body = JSON.stringify({ text: 'x'.repeat(5_000) })
    await sandbox.fetch('/inventory/1', { method: 'PATCH', body })
    const run = () => expect(sandbox).toHaveReceived({ body: expect.any(String) })
    expect(run).toThrow('the journal does not have the whole body')
  })

  test('but not every string in headers, queries and forms', async ({ sandbox }) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Api-Token': 'abc' }
    const init = { method: 'PATCH', headers, body: 'password=a&text=b' }
    await sandbox.fetch('/inventory/1?token=abc', init)
    for (const text of [expect.any(String), expect.anything()]) {
      const expected = { headers: { 'x-api-token': text }, query: { token: text }, body: text }
      expect(sandbox).toHaveReceived('updateInventory', expected)
    }
  })

  test('but not one on a value that ends with the same character', async ({ sandbox }) => {
    const body = '{"text":"wait…"}'
    await sandbox.fetch('/inventory/1?text=wait…', { method: 'PATCH', body })
    for (const text of ['wait…', expect.stringMatching(/…$/)]) {
      expect(sandbox).toHaveReceived({ body: { text }, query: { text } })
    }
    expect(sandbox).not.toHaveReceived({ body: { text: 'wait for it' } })
    expect(sandbox).not.toHaveReceived({ body: { text: expect.stringMatching(/it$/) } })
  })
})
