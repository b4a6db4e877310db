import { test } from 'petstore-sandbox/vitest'
import { expect, vi } from 'vitest'

/** The client under test: repeats a request without a response, unless that could duplicate it. */
async function send(url: string, init: RequestInit & { method: string }): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.method === 'POST') throw error
    return fetch(url, init)
  }
}

// #region lost
test('does not send a message twice if the response is lost', async ({ sandbox }) => {
  const { quickstartBaseUrl, headers, world } = sandbox
  world.faults.add({ type: 'reset', phase: 'after', operation: 'sendMessage', atMost: 1 })

  const json = { ...headers, 'Content-Type': 'application/json' }
  const message = { method: 'POST', headers: json, body: '{"message":"Hello"}' }
  await expect(send(`${quickstartBaseUrl}/messages`, message)).rejects.toThrow()

  expect(world.db.messages.list()).toHaveLength(1)
  expect(world.requests.find('sendMessage')).toMatchObject([{ status: 0 }])
})
// #endregion

test('receives the page of a proxy', async ({ sandbox }) => {
  const { baseUrl, headers, world } = sandbox
  // #region proxy
  world.faults.add({
    type: 'status',
    status: 502,
    body: '<html><h1>502 Bad Gateway</h1></html>',
    headers: { 'Retry-After': 'Thu, 01 Jan 2026 09:05:00 GMT', Via: ['1.1 edge', '1.1 cache'] },
    atMost: 1,
  })
  // #endregion
  const response = await send(`${baseUrl}/inventory`, { method: 'GET', headers })
  expect(response.status).toBe(502)
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('Via')).toBe('1.1 edge, 1.1 cache')
  expect(await response.text()).toContain('Bad Gateway')
})

test('receives a response after a time of the world', async ({ sandbox }) => {
  const { baseUrl, headers, world } = sandbox
  // #region clock
  world.clock.freeze()
  world.faults.add({ type: 'delay', delayMs: 5_000, clock: 'world', atMost: 1 })
  const response = fetch(`${baseUrl}/inventory`, { headers })
  await vi.waitFor(() => expect(world.requests.pending()).toHaveLength(1))

  world.clock.advance('PT5S')
  expect((await response).status).toBe(200)
  // #endregion
})

test('repeats an update whose response is lost', async ({ sandbox }) => {
  const { baseUrl, headers, world } = sandbox
  world.faults.add({ type: 'reset', phase: 'after', operation: 'updateInventory', atMost: 1 })

  const update = { method: 'PATCH', headers: jsonHeaders(headers), body: '{"quantity":5}' }
  expect((await send(`${baseUrl}/inventory/7`, update)).status).toBe(200)
  expect(world.requests.count('updateInventory')).toBe(2)
})

test('continues after a failure', async ({ sandbox }) => {
  const { baseUrl, headers, world } = sandbox
  // #region sequence
  world.faults.add({
    operation: 'updateInventory',
    match: { petId: 7, body: { quantity: 5 } },
    skip: 1,
    sequence: [{ status: 503 }, 'pass', { delayMs: 20 }],
  })
  // #endregion
  const update = { method: 'PATCH', headers: jsonHeaders(headers), body: '{"quantity":5}' }
  const statuses: number[] = []
  for (const petId of [7, 8, 7, 7, 7]) {
    statuses.push((await send(`${baseUrl}/inventory/${petId}`, update)).status)
  }
  expect(statuses).toEqual([200, 200, 503, 200, 200])
  expect(world.faults.list()).toEqual([])
})

function jsonHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { ...headers, 'Content-Type': 'application/json' }
}
