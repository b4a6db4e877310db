import * as service from '../out/oazapfts.js'
import type { ClientOptions, Outcome, ServiceClient } from './client.js'

export function create({ apiKey, messagesUrl }: ClientOptions): ServiceClient {
  service.defaults.headers = { Authorization: `Bearer ${apiKey}` }
  return {
    listInventory: async () => {
      const result = await service.listInventory()
      if (result.status === 200)
        return toOutcome(
          result.status,
          result.data.map(({ petId }) => ({ petId })),
        )
      return toOutcome(result.status, result.data)
    },
    updateInventory: async (petId, quantity) => {
      const { status, data } = await service.updateInventory(petId, { quantity })
      return toOutcome(status, data)
    },
    getPet: async (petId) => {
      const { status, data } = await service.getPet(petId)
      return toOutcome(status, data)
    },
    listOrders: async () => {
      const { status, data } = await service.listOrders()
      return toOutcome(status, data)
    },
    sendMessage: async (message) => {
      const { status, data } = await service.sendMessage({ message }, { baseUrl: messagesUrl })
      return toOutcome(status, data)
    },
  }
}

function toOutcome(status: number, body: object): Outcome {
  return { status, body }
}
