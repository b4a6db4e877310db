import { Api, type Error as ErrorBody, type HttpResponse } from '../out/swagger-typescript-api.js'
import type { ClientOptions, Outcome, ServiceClient } from './client.js'

export function create({ apiKey, messagesUrl }: ClientOptions): ServiceClient {
  const api = new Api({ baseApiParams: { headers: { Authorization: `Bearer ${apiKey}` } } })
  return {
    listInventory: () => toOutcome(api.inventory.listInventory()),
    updateInventory: (petId, quantity) =>
      toOutcome(api.inventory.updateInventory(petId, { quantity })),
    getPet: (petId) => toOutcome(api.pets.getPet(petId)),
    listOrders: () => toOutcome(api.store.listOrders()),
    sendMessage: (message) =>
      toOutcome(api.messages.sendMessage({ message }, { baseUrl: messagesUrl })),
  }
}

/** A rejected request throws its response. */
async function toOutcome(sending: Promise<HttpResponse<object, ErrorBody>>): Promise<Outcome> {
  const { status, ok, data, error } = await sending.catch(
    (response: HttpResponse<object, ErrorBody>) => response,
  )
  return { status, body: ok ? data : error }
}
