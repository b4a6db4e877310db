import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { World } from '../../../src/index.js'
import type { PetState } from '../../../src/service/schemas.js'
import { recordEntry } from '../../support/record-entry.js'
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

describe('an event stream', () => {
  test('of a client that is more than 1 MiB behind is closed, and does not affect the others', async () => {
    const { url, world, fetch: send } = await openServer()
    const countClosed = countClosedStreams(world)
    const slow = await openResponse(`${url}/sandbox/events`)
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
    await expect(once(slow.resume(), 'end')).rejects.toThrow('aborted')
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
