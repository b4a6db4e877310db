import { expect, test } from 'vitest'
import { ControlClient, type RemoteFetch } from '../../../src/control/client/client.js'
import { followEvents } from '../../../src/control/client/events.js'

/** Follows the events of a world, and returns the first of them. */
async function follow(fetch: RemoteFetch, count: number): Promise<readonly string[]> {
  const controlUrl = 'https://api.petstore.example/sandbox'
  const describe = () => ({ message: '', advice: '' })
  const client = new ControlClient({ controlUrl, apiKey: 'sbx_free', fetch, describe })
  const seen: string[] = []
  for await (const event of followEvents(client, new AbortController().signal)) {
    if (event.type === 'request') seen.push(`${event.entry.operation}`)
    else seen.push(event.type === 'end' ? event.reason : event.type)
    if (seen.length === count) break
  }
  return seen
}

const end = 'event: end\ndata: {"reason":"restarted","generation":1}\n\n'

function createStream(body: string | ReadableStream<Uint8Array>): Response {
  const headers = { 'Content-Type': 'text/event-stream', 'Sandbox-World-Generation': '1' }
  return new Response(body, { headers })
}

test('a stream is opened again at once after a restart or a failure, and then at most every 500 ms', async () => {
  const openedAt: number[] = []
  const fetch: RemoteFetch = async () => {
    openedAt.push(performance.now())
    if (openedAt.length === 3) throw new TypeError('Failed to fetch')
    return createStream(openedAt.length < 3 ? end : new ReadableStream())
  }
  const seen = ['open', 'restarted', 'open', 'restarted', 'lost', 'open']
  expect(await follow(fetch, seen.length)).toEqual(seen)
  const [first = 0, second = 0, third = 0, fourth = 0] = openedAt
  expect(second - first).toBeLessThan(400)
  // Node may fire a timer one millisecond early.
  expect(third - first).toBeGreaterThan(490)
  expect(fourth - first).toBeGreaterThan(990)
})

test.each([1, 2, 7, 1_000])('a stream is read in chunks of %i bytes', async (size) => {
  const text = `: hello\r\n\r\nid: 1\r\nevent: request\r\ndata: {"operation":"ключ"}\r\n\r\nevent: x\ndata: 1\n\n${end}`
  const bytes = new TextEncoder().encode(text)
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at + size))
      at += size
      if (at >= bytes.length) controller.close()
    },
  })
  expect(await follow(async () => createStream(stream), 3)).toEqual(['open', 'ключ', 'restarted'])
})
