import { describe, expect, onTestFinished, test } from 'vitest'
import type { AccessSettings } from '../../../src/control/access.js'
import { ControlClient, type RemoteFetch } from '../../../src/control/client/client.js'
import { followEvents, type StreamListener } from '../../../src/control/client/events.js'
import { createDescription } from '../../../src/control/remote/describe.js'
import { createAccess } from '../../../src/transport/http/access.js'
import { openSandbox, origin } from '../../console/support.js'

/** Follows the events of a world until the test ends. Returns what happens, and when it fails. */
function follow(fetch: RemoteFetch, apiKey: string, { onOpen }: Partial<StreamListener> = {}) {
  const client = new ControlClient({
    controlUrl: `${origin}/sandbox`,
    apiKey,
    fetch,
    describe: createDescription(origin),
  })
  const stopping = new AbortController()
  const seen: string[] = []
  const waits = new Set<() => void>()
  const note = (text: string) => {
    seen.push(text)
    for (const check of waits) check()
  }
  const followed = followEvents(
    client,
    {
      onOpen(generation) {
        note('open')
        return onOpen?.(generation)
      },
      onEntry: ({ operation }) => note(`${operation}`),
      onEnd: note,
      onFailure(error) {
        note(error instanceof Error && 'code' in error ? `${error.code}` : 'another error')
        if (seen.at(-1) !== 'unreachable') throw error
      },
    },
    stopping.signal,
  )
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
    const { until, stop, followed } = follow(sandbox.fetch, 'sbx_free', {
      onOpen: () => void sandbox.fetch(`${origin}/v1/pets/7`, { headers }),
    })
    expect(await until(2)).toEqual(['open', 'getPet'])
    stop()
    await followed
  })

  test('opens the stream again when the world was restarted or evicted', async () => {
    const sandbox = await openSandbox()
    const apiKey = 'sbx_free_default_followed'
    const headers = { Authorization: `Bearer ${apiKey}` }
    const steps = [
      async () => (await sandbox.worldFor(apiKey)).reset(),
      () => sandbox.reset(), // discards all worlds with a label
      () => void sandbox.fetch(`${origin}/v1/pets/7`, { headers }),
    ]
    const { until } = follow(sandbox.fetch, apiKey, { onOpen: () => void steps.shift()?.() })
    const expected = ['open', 'restarted', 'open', 'evicted', 'open', 'getPet']
    expect(await until(6)).toEqual(expected)
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
  ])('rejects with the error if the listener throws it: %s', async (_, apiKey, code) => {
    const access: AccessSettings = createAccess({ control: 'off' })
    const sandbox = await openSandbox(access)
    await expect(follow(sandbox.fetch, apiKey).followed).rejects.toMatchObject({ code })
  })
})
