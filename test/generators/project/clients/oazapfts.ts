import * as service from '../out/oazapfts.js'
import type { ClientOptions, ServiceClient } from './client.js'

export function create({ apiKey, messagesUrl }: ClientOptions): ServiceClient {
  service.defaults.headers = { Authorization: `Bearer ${apiKey}` }
  return {
    listInventory: async () => {
      const result = await service.listInventory()
      const { status } = result
      if (result.status !== 200) return { status, body: result.data }
      return { status, body: result.data.map(({ petId }) => ({ petId })) }
    },
    updateInventory: async (petId, quantity) => {
      const { status, data: body } = await service.updateInventory(petId, { quantity })
      return { status, body }
    },
    getPet: async (petId) => {
      const { status, data: body } = await service.getPet(petId)
      return { status, body }
    },
    listOrders: async () => {
      const { status, data: body } = await service.listOrders()
      return { status, body }
    },
    sendMessage: async (message) => {
      const { status, data: body } = await service.sendMessage(
        { message },
        { baseUrl: messagesUrl },
      )
      return { status, body }
    },
  }
}
