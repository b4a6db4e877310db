import { describe, expect, onTestFinished, test } from 'vitest'
import type { AccessSettings } from '../../../src/control/access.js'
import { ControlClient, type RemoteFetch } from '../../../src/control/client/client.js'
import { createDescription } from '../../../src/control/client/describe.js'
import { RemoteError } from '../../../src/control/client/error.js'
import { followEvents } from '../../../src/control/client/events.js'
import { createAccess } from '../../../src/transport/http/access.js'
import { openSandbox, origin } from '../../console/support.js'

/**
 * Follows the events of a world until the test ends. Returns what happens, and when it fails.
 *
 * @param onOpen Called when a stream is open.
 */
function follow(fetch: RemoteFetch, apiKey: string, onOpen = () => {}) {
  const describe = createDescription({
    url: origin,
    option: 'url',
    advices: {},
    otherwise: 'correct the request',
    namesResponse: true,
  })
  const client = new ControlClient({ controlUrl: `${origin}/sandbox`, apiKey, fetch, describe })
  const stopping = new AbortController()
  const seen: string[] = []
  const waits = new Set<() => void>()
  const note = (text: string) => {
    seen.push(text)
    for (const check of waits) check()
  }
  const read = async () => {
    for await (const event of followEvents(client, stopping.signal)) {
      if (event.type === 'open') {
        note('open')
        onOpen()
      } else if (event.type === 'request') note(`${event.entry.operation}`)
      else if (event.type === 'end') note(event.reason)
      else {
        note(event.error instanceof RemoteError ? event.error.code : 'another error')
        if (seen.at(-1) !== 'unreachable') throw event.error
      }
    }
  }
  const followed = read()
  onTestFinished(() => stopping.abort())
  const until = (count: number) =>
    new Promise<readonly string[]>((resolve) => {
      const check = () => seen.length >= count && resolve(seen)
      waits.add(check)
      check()
    })
  return { followed, until, stop: () => stopping.abort() }
}

const end = 'event: end\ndata: {"reason":"restarted","generation":1}\n\n'

function createStream(body: string | ReadableStream<Uint8Array>): Response {
  const headers = { 'Content-Type': 'text/event-stream', 'Sandbox-World-Generation': '1' }
  return new Response(body, { headers })
}

describe('followEvents', () => {
  test('passes each journal entry to the listener after the stream is open', async () => {
    const sandbox = await openSandbox()
    const headers = { Authorization: 'Bearer sbx_free' }
    const { until, stop, followed } = follow(
      sandbox.fetch,
      'sbx_free',
      () => void sandbox.fetch(`${origin}/v1/pets/7`, { headers }),
    )
    expect(await until(2)).toEqual(['open', 'getPet'])
    stop()
    await followed
  })

  test('opens it at once after a restart or a failure, and then at most every 500 ms', async () => {
    const openedAt: number[] = []
    const { until } = follow(async () => {
      openedAt.push(performance.now())
      if (openedAt.length === 3) throw new TypeError('Failed to fetch')
      return createStream(openedAt.length < 3 ? end : new ReadableStream())
    }, 'sbx_free')
    const seen = ['open', 'restarted', 'open', 'restarted', 'unreachable', 'open']
    expect(await until(6)).toEqual(seen)
    const [first = 0, second = 0, third = 0, fourth = 0] = openedAt
    expect(second - first).toBeLessThan(400)
    // Node may fire a timer one millisecond early.
    expect(third - first).toBeGreaterThan(490)
    expect(fourth - first).toBeGreaterThan(990)
  })

  test.each([1, 2, 7, 1_000])('reads a stream in chunks of %i bytes', async (size) => {
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
    const { until } = follow(async () => createStream(stream), 'sbx_free')
    expect((await until(3)).slice(0, 3)).toEqual(['open', 'ключ', 'restarted'])
  })

  test.each([
    ['the key is invalid', 'sbx_revoked', 'invalid_api_key'],
    ['the sandbox does not permit control', 'sbx_free', 'control_denied'],
  ])('fails with the error of a stream that cannot be opened: %s', async (_, apiKey, code) => {
    const access: AccessSettings = createAccess({ control: 'off' })
    const sandbox = await openSandbox(access)
    await expect(follow(sandbox.fetch, apiKey).followed).rejects.toMatchObject({ code })
  })
})
