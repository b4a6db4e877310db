import { expect, test } from 'vitest'
import { toControlOpenApi } from '../../src/engine/control-document.js'
import { createSandbox } from '../../src/index.js'
import { addresses } from '../../src/service/addresses.js'

test('the examples of the control document are the responses of a new sandbox', async () => {
  const { paths } = await toControlOpenApi()
  const exampleOf = (path: string, method: string, type = 'application/json') =>
    Object(paths[`/sandbox${path}`])[method].responses[200].content[type].example
  const sandbox = await createSandbox({ now: () => Date.UTC(2026, 0, 1, 9) })
  const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
  const read = async (path: string): Promise<unknown> =>
    (await sandbox.fetch(`${addresses.control.url}${path}`, { headers })).json()
  expect(exampleOf('/quota', 'get')).toEqual(await read('/quota'))
  expect(exampleOf('/pets/{petId}', 'delete')).toMatchObject({ petId: 7, name: 'Nemo' })
  const change = { method: 'PATCH', headers, body: '{"quantity":25}' }
  await sandbox.fetch(`${addresses.api.url}/inventory/7`, change)
  const [request] = exampleOf('/requests', 'get')
  expect(await read('/requests')).toEqual([{ ...request, durationMs: expect.any(Number) }])
  expect(request.durationMs).toBe(0)
  expect(exampleOf('/events', 'get', 'text/event-stream')).toBe(
    `: the requests that reach this world\n\nid: 1\nevent: request\ndata: ${JSON.stringify(request)}\n\n`,
  )
})
