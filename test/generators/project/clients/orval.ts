import * as service from '../out/orval.js'
import type { ClientOptions, Outcome, ServiceClient } from './client.js'

export function create({ apiKey }: ClientOptions): ServiceClient {
  const init = { headers: { Authorization: `Bearer ${apiKey}` } }
  const withBody = { headers: { ...init.headers, 'Content-Type': 'application/json' } }
  return {
    listInventory: async () => {
      const result = await service.listInventory(init)
      if (result.status === 200)
        return toOutcome(
          result.status,
          result.data.map(({ petId }) => ({ petId })),
        )
      return toOutcome(result.status, result.data)
    },
    updateInventory: async (petId, quantity) => {
      const { status, data } = await service.updateInventory(petId, { quantity }, withBody)
      return toOutcome(status, data)
    },
    getPet: async (petId) => {
      const { status, data } = await service.getPet(petId, init)
      return toOutcome(status, data)
    },
    listOrders: async () => {
      const { status, data } = await service.listOrders(init)
      return toOutcome(status, data)
    },
    sendMessage: async (message) => {
      const { status, data } = await service.sendMessage({ message }, withBody)
      return toOutcome(status, data)
    },
  }
}

function toOutcome(status: number, body: object): Outcome {
  return { status, body }
}
