// Runs in Jest and in vitest, with their global functions.
import { createServer } from 'node:http'
import { connect } from 'petstore-sandbox/connect'
import { createSandboxServer } from 'petstore-sandbox/server'

/* global expect, test */

const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

test('the server responds with the console and the service', async () => {
  const server = await createSandboxServer()
  const url = await server.listen({ port: 0 })
  const responses = await Promise.all([
    fetch(`${url}/`),
    fetch(`${url}/console.js`),
    fetch(`${url}/openapi.json`),
    fetch(`${url}/v1/inventory`, { headers }),
    fetch(`${url}/v1/inventory/1`, { method: 'PATCH', headers, body: '"'.repeat(70_000) }),
  ])
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 413])
  await server.close()
})

test('connect controls a world of the server', async () => {
  const server = await createSandboxServer()
  const url = await server.listen({ port: 0 })
  const world = await connect({ url, apiKey: 'sbx_free_default_project' })
  await world.use('nearly-limited')
  const list = () => fetch(`${world.baseUrl}/inventory`, { headers: world.headers })
  expect([(await list()).status, (await list()).status]).toEqual([200, 429])
  const limited = { operation: 'listInventory', status: 429 }
  expect(await world.requests.waitFor(limited)).toMatchObject({ id: 2 })
  await expect(world.db.pets.remove('404')).rejects.toMatchObject({ code: 'pet_not_found' })
  world.close()
  await server.close()
})

test('the server explains why it cannot listen', async () => {
  const other = createServer()
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve))
  const server = await createSandboxServer()
  await expect(server.listen({ port: other.address().port })).rejects.toThrow('the port is in use')
  other.close()
})
