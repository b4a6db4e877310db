import { describe, expect, onTestFinished, test } from 'vitest'
import { requestSchema } from '../../src/control/shown-request.js'
import { createSandbox } from '../../src/index.js'
import { addresses } from '../../src/service/addresses.js'
import { countListeners, readText } from '../support/event-stream.js'
import { startMs } from '../support/suite.js'
import type { Place, Transport } from '../support/transport.js'
import { httpTransport, mswTransport } from '../support/transports.js'
import { toControlUrl } from './support.js'

interface OpenPlace {
  readonly sandbox: Place['sandbox']
  readonly fetch: typeof fetch
  readonly api: string
  readonly controlUrl: string
}

async function openDirectly(): Promise<OpenPlace> {
  const sandbox = await createSandbox({ now: () => startMs })
  return {
    sandbox,
    fetch: sandbox.fetch,
    api: addresses.api.url,
    controlUrl: addresses.control.url,
  }
}

async function openOver(transport: Transport): Promise<OpenPlace> {
  const { sandbox, urls, close } = await transport.open({ now: () => startMs })
  onTestFinished(async () => {
    await close()
  })
  const send: typeof fetch = (input, init) => fetch(input, init)
  return { sandbox, fetch: send, api: urls.api, controlUrl: toControlUrl(urls) }
}

const authorization = { Authorization: 'Bearer sbx_free' }
const jsonRequest = { headers: { ...authorization, 'Content-Type': 'application/json' } }

/** Opens a stream and reads its first comment. */
async function openStream(place: OpenPlace, headers = authorization) {
  const stream = readText(await place.fetch(`${place.controlUrl}/events`, { headers }))
  await stream.next('\n\n')
  return stream
}

type Disconnect = 'abort' | 'cancel'

// msw clones every response, so cancelling one reader does not cancel the stream.
describe.each<[string, () => Promise<OpenPlace>, Disconnect[]]>([
  ['sandbox.fetch', openDirectly, ['cancel', 'abort']],
  [mswTransport.name, () => openOver(mswTransport), ['abort']],
  [httpTransport.name, () => openOver(httpTransport), ['cancel', 'abort']],
])('streamEvents over %s', (_, open, disconnects) => {
  test('sends each request as an event with an id, as listRequests shows it', async () => {
    const place = await open()
    const response = await place.fetch(`${place.controlUrl}/events`, { headers: authorization })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toMatch(/^text\/event-stream\b/)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('X-Accel-Buffering')).toBe('no')
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    const stream = readText(response)
    expect(await stream.next('\n\n')).toMatch(/^: .+\n\n$/)

    for (const id of [1, 2]) {
      await place.fetch(`${place.api}/inventory`, { headers: authorization })
      const event = await stream.next('\n\n')
      const [idLine, nameLine, dataLine = ''] = event.trimEnd().split('\n')
      expect([idLine, nameLine]).toEqual([`id: ${id}`, 'event: request'])
      const data = requestSchema.parse(JSON.parse(dataLine.replace(/^data: /, '')))
      expect(data).toMatchObject({ id, operation: 'listInventory', response: { status: 200 } })
      const listed = await place.fetch(`${place.controlUrl}/requests`, { headers: authorization })
      const [newest] = (await listed.json()) as unknown[]
      expect(newest).toEqual(data)
    }
    stream.cancel()
  })

  test('a restart ends the streams of the world with the new generation', async () => {
    const place = await open()
    const streams = await Promise.all([openStream(place), openStream(place)])
    const init = { ...jsonRequest, method: 'PUT', body: '"low-stock"' }
    await place.fetch(`${place.controlUrl}/scenario`, init)
    const data = { reason: 'restarted', generation: place.sandbox.world.generation }
    for (const stream of streams) {
      expect(await stream.rest()).toBe(`event: end\ndata: ${JSON.stringify(data)}\n\n`)
    }
  })

  test.each(disconnects)(
    'ends when the client disconnects by %s, and removes its listener',
    async (disconnect) => {
      const place = await open()
      const countNow = countListeners(place.sandbox.world.journal)
      const controller = new AbortController()
      const init = { headers: authorization, signal: controller.signal }
      const response = await place.fetch(`${place.controlUrl}/events`, init)
      const stream = readText(response)
      await stream.next('\n\n')
      expect(countNow()).toBe(1)
      if (disconnect === 'cancel') stream.cancel()
      else controller.abort()
      await expect.poll(countNow).toBe(0)
    },
  )
})
