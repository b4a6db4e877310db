import * as service from '../out/orval.js'
import type { ClientOptions, ServiceClient } from './client.js'

export function create({ apiKey }: ClientOptions): ServiceClient {
  const init = { headers: { Authorization: `Bearer ${apiKey}` } }
  const withBody = { headers: { ...init.headers, 'Content-Type': 'application/json' } }
  return {
    listInventory: async () => {
      const result = await service.listInventory(init)
      const { status } = result
      if (result.status !== 200) return { status, body: result.data }
      return { status, body: result.data.map(({ petId }) => ({ petId })) }
    },
    updateInventory: async (petId, quantity) => {
      const { status, data: body } = await service.updateInventory(petId, { quantity }, withBody)
      return { status, body }
    },
    getPet: async (petId) => {
      const { status, data: body } = await service.getPet(petId, init)
      return { status, body }
    },
    listOrders: async () => {
      const { status, data: body } = await service.listOrders(init)
      return { status, body }
    },
    sendMessage: async (message) => {
      const { status, data: body } = await service.sendMessage({ message }, withBody)
      return { status, body }
    },
  }
}
