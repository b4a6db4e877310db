import { Agent, type RequestOptions, request } from 'node:http'
import type { ConsoleSite } from './console-site.js'

/** Number of requests that {@link misbehave} sends. */
export const requestCount = 79

/**
 * Sends the requests of a client that breaks rules: it uses a deprecated operation, repeats what was
 * rejected, and does not wait when the minute is exhausted, until its key is banned. It uses one
 * connection, so that it is known to have had each response. The clock of the world is frozen
 * afterwards.
 */
export async function misbehave(site: ConsoleSite, apiKey: string): Promise<void> {
  const { clock } = await site.sandbox.worldFor(apiKey)
  clock.freeze('2026-03-01T09:00:00Z')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = async (path: string, delayMs: number, init: SentRequest = {}) => {
    clock.advance(delayMs)
    const headers = { ...init.headers, Authorization: `Bearer ${apiKey}` }
    await sendWith(new URL(path, site.url), { ...init, agent, headers })
  }
  for (let count = 0; count < 2; count += 1) await send('/v1/pets/7', 50)
  for (let count = 0; count < 3; count += 1) await send(hostilePath, 50)
  const init = {
    method: 'PATCH',
    body: '{"quantity":1}',
    headers: { 'Content-Type': 'text/plain' },
  }
  for (let count = 0; count < 3; count += 1) await send('/v1/inventory/7', 50, init)
  for (let count = 0; count < 71; count += 1) {
    await send('/v1/inventory', count % 7 === 0 ? 1_000 : 20)
  }
  agent.destroy()
}

interface SentRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request, and resolves when the response has been received. */
function sendWith(url: URL, { body, ...options }: RequestOptions & SentRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => response.on('end', resolve).resume())
    sent.on('error', reject).end(body)
  })
}

/** A path that is no path of the service, with markup and a character that changes the direction. */
const hostilePath = `/v1/pets/7/<img src=x onerror=alert(1)>${encodeURIComponent('\u202e')}?x=</script>`
