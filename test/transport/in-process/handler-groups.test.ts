import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { operationIds, operations } from '../../../src/service/operations/operations.js'

const apiUrl = 'https://api.petstore.example/v1'
const headers = { Authorization: 'Bearer sbx_free' }

test('handlerGroups has all handlers, grouped by resource', async () => {
  const { handlers, handlerGroups } = await createSandbox()
  const { store, pets, messages, rest } = handlerGroups
  const operationsOf = (group: typeof store) => new Set(group.map(({ operation }) => operation))
  const idsOf = (resource: string) =>
    new Set(operationIds.filter((id) => operations[id].resource === resource))
  expect(operationsOf(store)).toEqual(idsOf('Store'))
  expect(operationsOf(pets)).toEqual(idsOf('Pets'))
  expect(operationsOf(messages)).toEqual(idsOf('Messages'))
  expect(idsOf('Store')).toContain('listOrders')
  expect(idsOf('Pets')).toContain('getPet')
  expect(idsOf('Messages')).toContain('sendMessage')
  expect(operationsOf(rest)).toEqual(new Set([undefined]))
  expect(new Set([...store, ...pets, ...messages, ...rest])).toEqual(new Set(handlers))
})

test('a handler group can be replaced without affecting the others', async () => {
  const { handlerGroups } = await createSandbox()
  const pets = [http.get('*/pets/:petId', () => HttpResponse.text('mine'))]
  const server = setupServer(...Object.values({ ...handlerGroups, pets }).flat())
  server.listen({ onUnhandledRequest: 'error' })
  onTestFinished(() => server.close())

  expect(await (await fetch(`${apiUrl}/pets/1`, { headers })).text()).toBe('mine')
  const inventory = await fetch(`${apiUrl}/inventory`, { headers })
  expect(inventory.status).toBe(200)
  expect((await fetch(`${apiUrl}/nowhere`, { headers })).status).toBe(404)
})

test('the handlers state no line that declares them, because reading it would delay a page', async () => {
  const { stackTraceLimit } = Error
  const { handlers } = await createSandbox()
  expect(handlers.map(({ info }) => info.callFrame)).toEqual(handlers.map(() => undefined))
  expect(Error.stackTraceLimit).toBe(stackTraceLimit)
})
