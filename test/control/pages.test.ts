import { expect, test } from 'vitest'
import { connect } from '../../src/connect.js'
import { createSandbox, type Scenario } from '../../src/index.js'
import { pageSize } from '../../src/service/bounds.js'
import { serveWorld } from '../cli/world-support.js'

const numbers = Array.from({ length: 2 * pageSize + 1 }, (_, at) => at + 1)
const long: Scenario = {
  name: 'long',
  pets: numbers.map((petId) => ({ petId, name: `Pet ${petId}` })),
  orders: numbers.map((id) => ({ id, petId: 1 })),
}

const url = 'https://api.petstore.example'
const headers = { Authorization: 'Bearer sbx_free' }

/** Opens a sandbox and returns a function that reads a list of the control API. */
async function open(scenario: Scenario) {
  const { fetch } = await createSandbox({ scenario })
  return async (path: string) => {
    const response = await fetch(`${url}/sandbox${path}`, { headers })
    return { status: response.status, body: await response.json() }
  }
}

const short: Scenario = {
  name: 'short',
  pets: [5, 3, '9007199254740993', 8].map((petId) => ({ petId, name: `Pet ${petId}` })),
  orders: [5, 3, 9, 8].map((id) => ({ id, petId: 5 })),
  messages: ['a', 'b', 'c', 'd'].map((id) => ({
    id,
    message: 'Hello',
    createdAt: '2026-01-01T09:00:00Z',
  })),
}

test.each([
  ['/pets', 'petId', [5, 3, '9007199254740993', 8]],
  ['/orders', 'id', [5, 3, 9, 8]],
  ['/messages', 'id', ['a', 'b', 'c', 'd']],
])('%s is in pages that follow the id of the last record', async (path, idField, ids) => {
  const read = await open(short)
  const list = async (query: string) => {
    const { body } = await read(`${path}${query}`)
    return body.map((record: Record<string, unknown>) => record[idField])
  }
  expect(await list('')).toEqual(ids)
  expect(await list('?limit=3')).toEqual(ids.slice(0, 3))
  expect(await list(`?limit=3&after=${ids[2]}`)).toEqual(ids.slice(3))
  expect(await list(`?after=${ids[0]}`)).toEqual(ids.slice(1))
  expect(await list(`?after=${ids[3]}`)).toEqual([])
})

test.each([
  ['/pets?after=7', 'after must be the petId of an entry of the list, found "7" (string)'],
  ['/scenarios?after=none', 'after must be the name of an entry of the list'],
  ['/orders?limit=0', 'limit must be a number from 1 to 99999, found "0" (string)'],
])('%s is rejected', async (path, message) => {
  const read = await open(short)
  const { status, body } = await read(path)
  expect([status, body.code]).toEqual([400, 'invalid_parameter'])
  expect(body.message).toContain(message)
})

test('/scenarios is in pages that follow the name of the last scenario', async () => {
  const read = await open(short)
  const all = (await read('/scenarios')).body
  expect((await read('/scenarios?limit=2')).body).toEqual(all.slice(0, 2))
  expect((await read('/scenarios?limit=2&after=empty-store')).body).toEqual(all.slice(2, 4))
})

test('a page has 2,000 entries by default, and a request can ask for more', async () => {
  const read = await open(long)
  expect((await read('/pets')).body).toHaveLength(pageSize)
  expect((await read('/pets?limit=99999')).body).toHaveLength(numbers.length)
})

test('a remote world reads the whole list', async () => {
  const sandbox = await createSandbox({ scenario: long })
  const remote = await connect({ url, apiKey: 'sbx_free', fetch: sandbox.fetch })
  expect(await remote.db.pets.list()).toEqual(sandbox.world.db.pets.list())
  expect(await remote.db.orders.list()).toEqual(sandbox.world.db.orders.list())
  expect((await remote.db.pets.find(numbers.length))?.name).toBe(`Pet ${numbers.length}`)
  await remote.close()
})

test('a command prints every page, or the page that its options select', async () => {
  const served = await serveWorld({ scenario: long })
  expect(await served.json('pets')).toHaveLength(numbers.length)
  const page = await served.json('orders', 'list', '--limit', '2', '--after', '4')
  expect(page).toMatchObject([{ id: 5 }, { id: 6 }])
})
