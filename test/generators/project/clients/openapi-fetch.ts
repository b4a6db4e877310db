import createClient from 'openapi-fetch'
import type { paths } from '../out/openapi-typescript.js'
import type { ClientOptions, Outcome, ServiceClient } from './client.js'

/** openapi-fetch takes the base URL as an option. */
export function create({ apiKey, messagesUrl }: ClientOptions, baseUrl: string): ServiceClient {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } })
  return {
    listInventory: async () => toOutcome(await client.GET('/inventory')),
    updateInventory: async (petId, quantity) =>
      toOutcome(
        await client.PATCH('/inventory/{petId}', {
          params: { path: { petId } },
          body: { quantity },
        }),
      ),
    getPet: async (petId) =>
      toOutcome(await client.GET('/pets/{petId}', { params: { path: { petId } } })),
    listOrders: async () => toOutcome(await client.GET('/store/orders')),
    sendMessage: async (message) =>
      toOutcome(await client.POST('/messages', { baseUrl: messagesUrl, body: { message } })),
  }
}

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

function toOutcome(result: {
  readonly response: Response
  readonly data?: object
  readonly error?: ErrorBody
}): Outcome {
  return { status: result.response.status, body: result.data ?? result.error }
}
