import { Agent } from 'node:http'
import { createHttpClient, type RequestParts } from '../../support/http-client.js'
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
  const client = createHttpClient(site.url, { agent })
  const send = async (line: string, delayMs: number, parts: RequestParts = {}) => {
    clock.advance(delayMs)
    await client(line, { key: apiKey, ...parts })
  }
  for (let count = 0; count < 2; count += 1) await send('GET /v1/pets/7', 50)
  for (let count = 0; count < 3; count += 1) await send(`GET ${hostilePath}`, 50)
  const parts = { body: '{"quantity":1}', headers: { 'Content-Type': 'text/plain' } }
  for (let count = 0; count < 3; count += 1) await send('PATCH /v1/inventory/7', 50, parts)
  for (let count = 0; count < 71; count += 1) {
    await send('GET /v1/inventory', count % 7 === 0 ? 1_000 : 20)
  }
  agent.destroy()
}

/** A path that is no path of the service, with markup and a character that changes the direction. */
const hostilePath = encodeURI('/v1/pets/7/<img src=x onerror=alert(1)>\u202e?x=</script>')
