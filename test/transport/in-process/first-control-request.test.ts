import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../../src/index.js'

const base = 'https://api.petstore.example/sandbox'
const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

test('concurrent first control requests are all answered, and see the same world', async () => {
  const sandbox = await createSandbox()
  const server = setupServer(...sandbox.handlers)
  server.listen()
  onTestFinished(() => server.close())
  const pet = (petId: number) => JSON.stringify({ petId, name: 'Rex', status: 'available' })
  const add = (petId: number) => ({ method: 'POST', headers, body: pet(petId) })
  const responses = await Promise.all([
    sandbox.fetch(`${base}/pets`, add(901)),
    fetch(`${base}/pets`, add(902)),
    sandbox.fetch(`${base}/clock`, { headers }),
    sandbox.fetch(`${base}/unknown`, { headers }),
    sandbox.fetch(`${base}/pets`, { method: 'OPTIONS', headers }),
  ])
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 200, 404, 204])
  expect(responses.at(-1)?.headers.get('Allow')).toBe('GET, HEAD, POST, OPTIONS')
  const names = ['901', '902'].map((petId) => sandbox.world.db.pets.find(petId)?.name)
  expect(names).toEqual(['Rex', 'Rex'])
})

test('a first control request that is aborted while the control API is loaded changes nothing', async () => {
  const sandbox = await createSandbox({ now: () => 0 })
  const before = sandbox.world.snapshot()
  const controller = new AbortController()
  const init = { method: 'DELETE', headers, signal: controller.signal }
  const pending = sandbox.fetch(`${base}/pets/1`, init)
  controller.abort()
  await expect(pending).rejects.toMatchObject({ name: 'AbortError' })
  // Answered after the aborted request.
  const { status } = await sandbox.fetch(`${base}/pets/1`, { headers, method: 'PUT' })
  expect(status).toBe(405)
  expect(sandbox.world.snapshot()).toEqual(before)
})

test('a control request rejects while the control API cannot be loaded, and a later one loads it', async () => {
  const sandbox = await createSandbox()
  const request = () => sandbox.fetch(`${base}/clock`, { headers })
  vi.doMock('../../../src/engine/control.js', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  onTestFinished(() => vi.doUnmock('../../../src/engine/control.js'))
  await expect(request()).rejects.toThrow()
  const { status } = await sandbox.fetch('https://api.petstore.example/v1/inventory', { headers })
  expect(status).toBe(200)
  vi.doUnmock('../../../src/engine/control.js')
  expect(await request()).toMatchObject({ status: 200 })
})
