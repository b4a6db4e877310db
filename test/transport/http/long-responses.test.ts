import { expect, test } from 'vitest'
import { authorization, expectProblem, openServer, toRequest } from './support/open-server.js'

const list = toRequest('GET /v1/inventory', [authorization])
const large = { scenario: 'large-catalogue' } as const

test('a long list is the same each time it is sent, and after each change', async () => {
  const { send, world } = await openServer(large)
  for (const quantity of [0, 3, 4]) {
    const body = JSON.stringify({ quantity })
    const headers = [authorization, 'Content-Type: application/json']
    expect(await send(toRequest('PATCH /v1/inventory/7', headers, body))).toMatchObject({
      status: 200,
    })
    const items = Array.from(world.db.inventory(), ({ petId, quantity, status }) => ({
      petId: Number(petId),
      quantity,
      status,
    }))
    expect(items.find(({ petId }) => petId === 7)).toMatchObject({ quantity })
    for (let count = 0; count < 3; count++) {
      expect(JSON.parse((await send(list)).text)).toEqual(items)
    }
  }
})

test('a response that exceeds the memory of its client is not sent', async () => {
  const { send } = await openServer({ ...large, limits: { clientMemory: 200_000 } })
  expectProblem(await send(list), 503, 'sandbox_capacity')
})
