import { client } from '../out/hey-api/client.gen.js'
import * as service from '../out/hey-api/index.js'
import type { ClientOptions, Outcome, ServiceClient } from './client.js'

export function create({ apiKey, messagesUrl }: ClientOptions): ServiceClient {
  client.setConfig({ auth: () => apiKey })
  return {
    listInventory: async () => toOutcome(await service.listInventory()),
    updateInventory: async (petId, quantity) =>
      toOutcome(await service.updateInventory({ path: { petId }, body: { quantity } })),
    getPet: async (petId) => toOutcome(await service.getPet({ path: { petId } })),
    listOrders: async () => toOutcome(await service.listOrders()),
    sendMessage: async (message) =>
      toOutcome(await service.sendMessage({ baseUrl: messagesUrl, body: { message } })),
  }
}

function toOutcome(result: {
  readonly response?: Response
  readonly data?: object | undefined
  readonly error?: service.Error | undefined
}): Outcome {
  return { status: result.response?.status ?? 0, body: result.data ?? result.error }
}
