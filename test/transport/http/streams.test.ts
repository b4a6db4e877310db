import { once } from 'node:events'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { EventStream } from '../../../src/control/event-feed.js'
import type { World } from '../../../src/index.js'
import type { PetState } from '../../../src/service/schemas.js'
import { writeEvents } from '../../../src/transport/http/stream.js'
import { recordEntry } from '../../support/record-entry.js'
import { serve } from '../../support/server.js'
import { authorization, openServer, toRequest } from './support/open-server.js'

/** Number of pets in the list, together 50 MiB: more than the kernel buffers. */
const total = 2_000
const petBytes = 25_600

const headers = { Authorization: 'Bearer sbx_enterprise' }

/** Replaces the pets of a world by a long list. */
function mockPets(world: World) {
  const pets = Array.from({ length: total }, (_, at) => createPet(String(at)))
  vi.spyOn(world.db.pets, 'list').mockReturnValue(pets)
}

const name = 'x'.repeat(petBytes)

function createPet(petId: string): PetState {
  return { petId, name, quantity: 1, status: 'available', category: 'dog', photoUrls: [], tags: [] }
}

/** Sends a request and resolves to the response, whose body is not read. */
async function openResponse(url: string): Promise<IncomingMessage> {
  const request = get(url, { headers })
  onTestFinished(() => void request.destroy())
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage] // the event has one
  return response.on('error', () => {})
}

describe('a large response', () => {
  test('is sent to a client that sends a body that is too large', async () => {
    const { world, connect } = await openServer({ limits: { lingerMs: 20 } })
    mockPets(world)
    const length = ['Content-Length: 100000000']
    const client = connect().send(toRequest('GET /sandbox/pets', [authorization, ...length], ''))
    await client.until('200 OK')
    await client.until('"petId":9,')
  })

  test('to a client of HTTP/1.0 ends with the connection', async () => {
    const { connect, world } = await openServer({ scenario: 'large-catalogue' })
    const client = connect().send(
      `GET /sandbox/pets?limit=5000 HTTP/1.0\r\n${authorization}\r\n\r\n`,
    )
    await client.closed()
    const [, body = ''] = client.rest.split('\r\n\r\n')
    expect(JSON.parse(Buffer.from(body, 'latin1').toString())).toHaveLength(world.db.pets.count)
  })
})

/** Counts the streams of a world that a transport has closed. */
function countClosedStreams({ events }: World): () => number {
  const open = events.open.bind(events)
  let closed = 0
  vi.spyOn(events, 'open').mockImplementation((...args) => {
    const close = open(...args)
    return () => {
      closed += 1
      close()
    }
  })
  return () => closed
}

/** An event stream that a test sends events of 100 KiB to. */
function createStream() {
  const event = new Uint8Array(102_400)
  let send = () => {}
  let isOpen = false
  const stream: EventStream = (sink) => {
    isOpen = true
    send = () => sink.send(event)
    return () => {
      isOpen = false
    }
  }
  return { stream, send: () => send(), isOpen: () => isOpen }
}

/** Sends events to a client that does not read them, until the stream closes or 50 MiB are sent. */
async function overwhelm({ send, isOpen }: ReturnType<typeof createStream>): Promise<void> {
  for (let count = 0; isOpen() && count < 500; count++) {
    send()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('an event stream', () => {
  test('is closed if its client is more than 1 MiB behind', async () => {
    const created = createStream()
    let response: ServerResponse | undefined
    const url = await serve((_, res) => {
      response = res
      writeEvents(res, created.stream, 60_000, () => {})
    })
    await openResponse(url)
    await overwhelm(created)
    expect(created.isOpen()).toBe(false)
    expect(response?.destroyed).toBe(true)
  })

  test('without the limit, 50 MiB of events wait for a client that does not read', async () => {
    const created = createStream()
    let response: ServerResponse | undefined
    const url = await serve((_, res) => {
      response = res
      writeEvents(res, created.stream, 60_000, () => {}, Number.POSITIVE_INFINITY)
    })
    await openResponse(url)
    await overwhelm(created)
    expect(created.isOpen()).toBe(true)
    expect(response?.destroyed).toBe(false)
  })

  test('of a slow client does not affect the others', async () => {
    const { url, world, fetch: send } = await openServer()
    const countClosed = countClosedStreams(world)
    await openResponse(`${url}/sandbox/events`)
    const fast = await openResponse(`${url}/sandbox/events`)
    fast.resume()
    await (await send('/v1/inventory', { headers })).text()
    const { id: _, ...entry } = world.requests.find()[0] ?? expect.fail()
    let received = 0
    fast.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    const sendEvent = async () => {
      const expected = received + 102_400
      recordEntry(world.journal, { ...entry, requestBody: 'x'.repeat(102_400) })
      while (received < expected) await once(fast, 'data')
    }
    for (let count = 0; countClosed() === 0 && count < 500; count++) await sendEvent()
    await sendEvent()
    expect(countClosed()).toBe(1)
  })

  test('leaves its connection usable when the world restarts', async () => {
    const { connect, world } = await openServer()
    const client = connect().send(toRequest('GET /sandbox/events', [authorization]))
    await client.until('the requests that reach this world')
    world.reset()
    await client.until('"reason":"restarted"')
    await client.until('\r\n0\r\n\r\n')
    client.send(toRequest('GET /v1/inventory', [authorization]))
    await client.until('"petId":12,')
  })
})
