import { describe, expect, test } from 'vitest'
import { type Cell, listCells } from '../../src/report/coverage.js'
import { toExampleRequest, type Way } from '../../src/report/how-to.js'
import { messagesUrl, openClient, type TestClient } from './support.js'

/** Opens a client in the scenario of a way. */
async function open(way: Way): Promise<TestClient> {
  const client = await openClient(way.type === 'scenario' ? way.name : 'default')
  if (way.type === 'fields')
    await client.world.use({ ...way.fields, name: 'own', extends: ['default'] })
  if (way.type === 'fault') client.world.faults.add(way.fault)
  return client
}

async function execute({ operation }: Cell, way: Way): Promise<TestClient> {
  const client = await open(way)
  const { method, path, body } = toExampleRequest(operation)
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (way.type === 'prefer') headers.Prefer = way.value
  const target = operation === 'sendMessage' ? messagesUrl : path
  await client.send(target, { method, headers, ...(body !== undefined && { body }) })
  return client
}

const cells = listCells(200)

describe('each way to meet a combination works:', () => {
  const rows = cells.flatMap((cell) =>
    cell.ways.map((way) => {
      const { operation, status, limiter, sunset } = cell
      const state = sunset === null ? limiter : `${limiter}, ${sunset} the sunset`
      return [`${operation} ${status} (${state})`, JSON.stringify(way), cell, way] as const
    }),
  )

  test.each(rows)('%s by %s', async (_, __, cell, way) => {
    const client = await execute(cell, way)
    const { coverage } = await client.report()
    const { ways, ...combination } = cell
    expect(coverage.cells.filter(({ count }) => count > 0)).toEqual([
      { ...combination, count: 1, howTo: expect.any(String) },
    ])
    expect(coverage).toMatchObject({ met: 1, possible: cells.length })
  })
})

test('coverage counts what the client met by other means', async () => {
  const client = await openClient()
  for (let sent = 0; sent < 75; sent += 1) await client.send('/inventory')
  await client.send('/inventory/404', {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: '{"quantity":1}',
  })
  const { coverage } = await client.report()
  const met = coverage.cells.filter(({ count }) => count > 0)
  expect(
    met.map(({ operation, status, limiter, count }) => [operation, status, limiter, count]),
  ).toEqual([
    ['listInventory', 200, 'fresh', 59],
    ['listInventory', 200, 'last', 1],
    ['listInventory', 429, 'exhausted', 9],
    ['listInventory', 429, 'banned', 6],
    ['updateInventory', 429, 'banned', 1],
  ])
})

test('coverage omits responses that were lost', async () => {
  const client = await openClient()
  client.world.faults.add({ type: 'truncate' })
  await client.send('/inventory')
  expect((await client.report()).coverage.met).toBe(0)
})

test('the combinations of sendMessage have the status that the scenario sets', async () => {
  const client = await openClient()
  await client.world.use({ name: 'accepted', extends: ['default'], rules: { messageStatus: 202 } })
  const { coverage } = await client.report()
  const statuses = coverage.cells
    .filter(({ operation }) => operation === 'sendMessage')
    .map(({ status }) => status)
  expect(statuses).toContain(202)
  expect(statuses).not.toContain(200)
})
