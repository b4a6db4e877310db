import { describe, expect } from 'vitest'
import { test } from '../../src/vitest.js'
import { messageOf, setQuantity } from './requests.js'

describe('toHaveReceived', () => {
  test('passes if the number of matching requests is as expected', async ({ sandbox }) => {
    await setQuantity(sandbox, 5)
    await setQuantity(sandbox, 6, 2)
    await setQuantity(sandbox, 'seven')
    expect(sandbox).toHaveReceived('updateInventory')
    expect(sandbox.world).toHaveReceived('updateInventory', { times: 3 })
    expect(sandbox).toHaveReceived('updateInventory', { times: 2, status: 200 })
    expect(sandbox).toHaveReceived('updateInventory', { times: 1, body: { quantity: 6 } })
    expect(sandbox).toHaveReceived('updateInventory', { path: '/inventory/2' })
    expect(sandbox).toHaveReceived('updateInventory', { code: 'invalid_field' })
    expect(sandbox).toHaveReceived({ status: 400 }, { times: 1 })
    expect(sandbox).toHaveReceived('updateInventory', {
      body: { quantity: expect.any(Number) },
      times: 2,
    })
    expect(sandbox).toHaveReceived('listInventory', { times: 0 })
    expect(sandbox).not.toHaveReceived('listInventory')
    expect(sandbox).not.toHaveReceived('updateInventory', { times: 2 })
    expect(sandbox).not.toHaveReceived('updateInventory', { body: { quantity: 7 } })
  })

  test('lists the received requests, and why each similar one does not match', async ({
    sandbox,
  }) => {
    await setQuantity(sandbox, 5)
    await setQuantity(sandbox, -1)
    await sandbox.fetch('/inventry/1', { method: 'PATCH' })
    await sandbox.fetch('/store/orders')
    const expected = { status: 200, body: { quantity: 6 } }
    const message = messageOf(() => expect(sandbox).toHaveReceived('updateInventory', expected))
    const notes = message.split('\n').filter((line) => /^ {2}#|not counted/.test(line))
    expect(message).toContain(
      'expected the world to receive updateInventory with status 200 and body {"quantity":6}, but it did not.\n\nRequests received by this world (4):\n',
    )
    expect(message).toContain('minute window: 1st of 60')
    expect(notes).toEqual([
      '  #1 PATCH /inventory/1 → 200, updateInventory',
      '       not counted: body.quantity is 5 (number), wanted 6 (number)',
      '  #2 PATCH /inventory/1 → 400 invalid_field, updateInventory',
      '       not counted: status is 400, wanted 200',
      '  #3 PATCH /inventry/1 → 404 route_not_found, no operation; nearest is updateInventory, PATCH /inventory/{petId}',
      '       not counted: operation is none, wanted updateInventory',
      '  #4 GET /store/orders → 200, listOrders',
    ])
  })

  test('shows the number of matching requests', async ({ sandbox }) => {
    await sandbox.fetch('/inventory')
    expect(
      messageOf(() => expect(sandbox).toHaveReceived('listInventory', { times: 2 })),
    ).toContain('expected the world to receive listInventory 2 times, but received it 1 time.')
  })

  test('explains how a world receives requests if there are none', ({ sandbox }) => {
    expect(messageOf(() => expect(sandbox).toHaveReceived('listInventory'))).toBe(
      'expected the world to receive listInventory, but it did not.\n\nThis world received no requests. Check that the client sends the API key of this world.',
    )
  })

  test('lists the matching requests after not', async ({ sandbox }) => {
    await sandbox.fetch('/inventory')
    await sandbox.fetch('/store/orders')
    const message = messageOf(() => expect(sandbox).not.toHaveReceived('listOrders'))
    expect(message).toContain(
      'expected the world not to receive listOrders, but it did.\n\n  #2 GET',
    )
    expect(message).not.toContain('#1')
  })

  test('shows the names of matchers in the expected body', ({ sandbox }) => {
    const expected = { body: { quantity: expect.any(Number) } }
    expect(messageOf(() => expect(sandbox).toHaveReceived('updateInventory', expected))).toContain(
      'updateInventory with body {"quantity":Any<Number>}',
    )
  })

  test('shows the name of a matcher that does not match', async ({ sandbox }) => {
    await setQuantity(sandbox, 'five')
    const expected = { body: { quantity: expect.any(Number) } }
    expect(messageOf(() => expect(sandbox).toHaveReceived('updateInventory', expected))).toContain(
      'not counted: body.quantity is "five" (string), wanted Any<Number>',
    )
  })

  test('shows a similar request even if many others follow', async ({ sandbox }) => {
    await setQuantity(sandbox, 5)
    for (let sent = 0; sent < 12; sent += 1) await sandbox.fetch('/inventory')
    const expected = { body: { quantity: 6 } }
    const message = messageOf(() => expect(sandbox).toHaveReceived('updateInventory', expected))
    expect(message).toContain('(13):\n  (3 more not shown)\n  #1 PATCH /inventory/1')
  })

  test('rejects an unknown operation', ({ sandbox }) => {
    const misspelled = 'listInventry' as 'listInventory' // as from JavaScript
    expect(messageOf(() => expect(sandbox).toHaveReceived(misspelled))).toContain(
      'did you mean "listInventory"?',
    )
  })

  test.for([
    [{ statuss: 200 }, 'the expectation has no field "statuss"; did you mean "status"?'],
    [{ times: -1 }, 'times must be an integer from 0, found -1 (number)'],
    [{ times: 0.5 }, 'times must be an integer from 0, found 0.5 (number)'],
  ] as const)('rejects the expectation %j', ([expected, message], { sandbox }) => {
    for (const assert of [expect(sandbox), expect(sandbox).not]) {
      const run = () => assert.toHaveReceived('listInventory', expected as object) // as from JavaScript
      expect(messageOf(run)).toContain(message)
    }
  })

  test('compares headers and query, and shows which differs', async ({ sandbox }) => {
    await sandbox.fetch('/inventory?page=2', { headers: { 'X-Trace': 't-1' } })
    expect(sandbox).toHaveReceived('listInventory', { headers: { 'X-Trace': 't-1' } })
    expect(sandbox).toHaveReceived('listInventory', { query: { page: '2' } })
    const expected = { query: { page: '2' }, headers: { 'x-trace': 't-2' } }
    const message = messageOf(() => expect(sandbox).toHaveReceived('listInventory', expected))
    expect(message).toContain('listInventory with query {"page":"2"} and headers {"x-trace":"t-2"}')
    expect(message).toContain(
      'not counted: headers.x-trace is "t-1" (string), wanted "t-2" (string)',
    )
  })

  test.for([
    [5, '5 (number)'],
    [null, 'null'],
    [{ world: 5 }, 'an object'],
  ] as const)('rejects %j, which is not a world', ([received, found]) => {
    expect(messageOf(() => expect(received).toHaveReceived('listInventory'))).toBe(
      `the value of expect(…) must be a world or a sandbox, found ${found}`,
    )
  })
})

describe('toHaveReceivedNothingUnmatched', () => {
  test('passes if every request matched an operation', async ({ sandbox }) => {
    expect(sandbox).toHaveReceivedNothingUnmatched()
    await sandbox.fetch('/inventory')
    expect(sandbox).toHaveReceivedNothingUnmatched()
  })

  test('lists the other requests and the nearest operations', async ({ sandbox }) => {
    await sandbox.fetch('/inventory')
    await sandbox.fetch('/inventory', { method: 'POST' })
    await sandbox.fetch('/elsewhere/entirely')
    const message = messageOf(() => expect(sandbox).toHaveReceivedNothingUnmatched())
    expect(message.split('\n').filter((line) => /^\S|^ {2}#/.test(line))).toEqual([
      'expected every request to match an operation, but these did not.',
      '  #2 POST /inventory → 405 method_not_allowed, no operation; nearest is listInventory, GET /inventory',
      '  #3 GET /elsewhere/entirely → 404 route_not_found, no operation',
    ])
    expect(sandbox).not.toHaveReceivedNothingUnmatched()
  })

  test('says after not that there were none', ({ sandbox }) => {
    expect(messageOf(() => expect(sandbox).not.toHaveReceivedNothingUnmatched())).toContain(
      'expected a request that matches no operation, but there was none.',
    )
  })
})
