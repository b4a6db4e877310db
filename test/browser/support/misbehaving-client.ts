import type { ConsoleSite } from './console-site.js'

/** Number of requests that {@link misbehave} sends. */
export const requestCount = 79

/**
 * Sends the requests of a client that breaks rules: it uses a deprecated operation, repeats what was
 * rejected, and does not wait when the minute is exhausted, until its key is banned. The clock of the
 * world is frozen afterwards.
 */
export async function misbehave(site: ConsoleSite, apiKey: string): Promise<void> {
  const { clock } = await site.sandbox.worldFor(apiKey)
  clock.freeze('2026-03-01T09:00:00Z')
  const send = async (path: string, delayMs: number, init?: RequestInit) => {
    clock.advance(delayMs)
    const response = await site.send(path, apiKey, init)
    await response.arrayBuffer()
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
}

/** A path that is no path of the service, with markup and a character that changes the direction. */
const hostilePath = `/v1/pets/7/<img src=x onerror=alert(1)>${encodeURIComponent('\u202e')}?x=</script>`
