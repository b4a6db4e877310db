// Runs in Jest and in vitest, with their global functions.
import { writeFileSync } from 'node:fs'
import { setupServer } from 'msw/node'
import { createSandbox, Problem, ScenarioError } from 'petstore-sandbox'
import * as node from 'petstore-sandbox/node'
import lowStock from 'petstore-sandbox/scenarios/low-stock'
import lowStockJson from 'petstore-sandbox/scenarios/low-stock.json' with { type: 'json' }

/* global afterAll, beforeAll, beforeEach, expect, test */

const api = 'https://api.petstore.example'
const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
const list = () => fetch(`${api}/v1/inventory`, { headers })
const change = (body) => fetch(`${api}/v1/inventory/1`, { method: 'PATCH', headers, body })

let sandbox
let interceptor
beforeAll(async () => {
  sandbox = await createSandbox()
  interceptor = setupServer(...sandbox.handlers)
  interceptor.listen({ onUnhandledRequest: 'bypass' })
})
beforeEach(() => sandbox.use('default'))
afterAll(() => interceptor.close())

test('msw responds with the handlers', async () => {
  expect((await list()).status).toBe(200)
  expect(await (await change('{"quantity":5}')).json()).toMatchObject({ petId: 1, quantity: 5 })
  expect(sandbox.world.requests.count('updateInventory')).toBe(1)
})

test('use selects a scenario by name', async () => {
  await sandbox.use('nearly-limited')
  expect([(await list()).status, (await list()).status]).toEqual([200, 429])
  await sandbox.use('rate-limited')
  const response = await list()
  expect(response.status).toBe(429)
  expect(response.headers.get('Retry-After')).toBe('60')
})

test('a scenario can generate its pets', async () => {
  await sandbox.use('large-catalogue')
  expect(await (await list()).json()).toHaveLength(5000)
})

test('a scenario can be imported as a module or as JSON', async () => {
  expect(lowStock.name).toBe('low-stock')
  expect(lowStock).toEqual(lowStockJson)
  await sandbox.use(lowStock)
  expect((await (await list()).json())[0]).toMatchObject({ petId: 1, quantity: 1 })
})

test('a large response of the control API is read in chunks', async () => {
  await sandbox.use('large-catalogue')
  const response = await fetch(`${api}/sandbox/pets?limit=5000`, { headers })
  expect(await response.json()).toHaveLength(5000)
})

test('a report assesses more requests than wait for the log', async () => {
  for (let sent = 0; sent < 100; sent += 1) await list()
  const { requests } = await sandbox.world.report()
  expect(requests).toMatchObject({ received: 100, assessed: 100 })
})

test('a fault cuts off a response', async () => {
  sandbox.world.faults.set([{ type: 'truncate', atMost: 1 }])
  const response = await list()
  await expect(response.text()).rejects.toThrow()
})

test('an invalid body is rejected with 400', async () => {
  const bodies = ['{', new Uint8Array([0x22, 0xff, 0x22])]
  const responses = await Promise.all(bodies.map(change))
  const codes = responses.map(async (response) => (await response.json()).code)
  expect(await Promise.all(codes)).toEqual(['invalid_json', 'invalid_json'])
})

test('a key is created', async () => {
  const response = await fetch(`${api}/sandbox/keys`, { method: 'POST', headers })
  expect((await response.json()).apiKey).toMatch(/^sbx_free_default_[0-9a-f]{40}$/)
})

test('readScenarioFile reads a file', async () => {
  const path = `./mine-${process.pid}.json`
  writeFileSync(path, '{"name":"mine"}')
  expect(await node.readScenarioFile(path)).toEqual({ file: { name: 'mine' }, source: path })
  writeFileSync(path, '{"name":}')
  await expect(node.readScenarioFile(path)).rejects.toThrow('line 1, column 9')
})

test('createSandbox of petstore-sandbox/node names a directory that it cannot read', async () => {
  const created = node.createSandbox({ scenarioDirectory: './missing' })
  await expect(created).rejects.toBeInstanceOf(ScenarioError)
  await expect(created).rejects.toThrow('found ENOENT: no such file or directory')
})

test('errors are instances of the exported classes', async () => {
  await expect(sandbox.use('unknown')).rejects.toBeInstanceOf(ScenarioError)
  expect(node.ScenarioError).toBe(ScenarioError)
  expect(() => sandbox.world.db.pets.remove('404')).toThrow(Problem)
})
