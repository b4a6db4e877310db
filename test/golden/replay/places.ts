import type { SandboxOptions } from 'petstore-sandbox'
import type { Place, SentRequest, Transport } from '../../support/transport.js'
import { httpTransport } from '../../support/transports.js'
import type { Labels } from './labels.js'
import { type Exchanged, toFetchResponse, toHttpResponse } from './response.js'
import { WireClient } from './wire.js'

/** A sandbox under replay. */
export interface ReplayPlace extends Pick<Place, 'sandbox' | 'urls'> {
  send(request: SentRequest, labels: Labels): Promise<Exchanged>
  close(): Promise<void>
}

/** Opens a sandbox over HTTP, where the bytes on one connection count. */
export async function openHttp(options: SandboxOptions): Promise<ReplayPlace> {
  const place = await httpTransport.open(options)
  const client = new WireClient(Number(new URL(place.urls.api).port))
  return {
    ...place,
    send: async (request, labels) => toHttpResponse(await client.send(request), labels),
    close: async () => {
      client.close()
      await place.close()
    },
  }
}

/** Returns a function that opens a sandbox, whose client reads responses as `fetch` does. */
export function openOver(transport: Transport) {
  return async (options: SandboxOptions): Promise<ReplayPlace> => {
    const place = await transport.open(options)
    return {
      ...place,
      send: async (request, labels) => {
        const received = await place.send(request).catch((error: unknown) => String(error))
        if (typeof received !== 'string') return toFetchResponse(received, labels)
        return { error: received, headers: [], body: {} }
      },
      close: async () => place.close(),
    }
  }
}
