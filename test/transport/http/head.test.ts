import { expect, test } from 'vitest'
import type { RawClient } from '../../support/raw-client.js'
import { authorization, openServer, toRequest } from './support/open-server.js'

const scenario = {
  name: 'frozen',
  clock: { now: '2026-01-01T09:00:00Z', frozen: true },
  pets: Array.from({ length: 1_000 }, (_, at) => ({
    petId: at + 1,
    quantity: 1,
    name: `Pet ${at}`,
  })),
}
const update = '{"quantity":5}'
const json = 'Content-Type: application/json'

/** Requests whose responses have different lines, lengths and statuses. */
const requests: readonly (readonly [line: string, headers?: readonly string[], body?: string])[] = [
  ['GET /v1/inventory', [authorization]],
  ['HEAD /v1/inventory', [authorization]],
  ['GET /quickstart/pet/7', [authorization]],
  ['PATCH /v1/inventory/7', [authorization, json], update],
  ['PATCH /v1/inventory/0', [authorization, json], update],
  ['DELETE /v1/inventory', [authorization]],
  ['OPTIONS /v1/inventory', ['Access-Control-Request-Method: GET']],
  ['GET /v1/inventory'],
  ['GET /v1/inventory', [authorization, 'Prefer: code=500']],
  ['GET /v1/inventory', [authorization, 'Connection: close']],
  ['GET /sandbox/clock', [authorization]],
  ['GET /healthz'],
]

/** Sends one request on a new connection, and returns the bytes of the response. */
async function receive(open: () => RawClient, request: (typeof requests)[number]): Promise<string> {
  const [line, headers = [], body = ''] = request
  const client = open().send(toRequest(line, headers, body))
  const section = await client.until('\r\n\r\n')
  const isHead = line.startsWith('HEAD') || line.startsWith('OPTIONS')
  const length = isHead ? 0 : Number(/^content-length: (\d+)/im.exec(section)?.[1])
  const end = section.indexOf('\r\n\r\n') + 4 + length
  while (client.rest.length < end) await new Promise(setImmediate)
  return client.rest
}

test('a response is the same byte for byte after others and as the first of a server', async () => {
  const warm = await openServer({ scenario })
  const warmUp = ['GET /v1/inventory', [authorization]] as const
  for (let count = 0; count < 3; count++) await receive(warm.connect, warmUp)
  for (const request of requests) {
    const first = await openServer({ scenario })
    warm.world.reset()
    const [expected, found] = [
      await receive(first.connect, request),
      await receive(warm.connect, request),
    ]
    expect(withoutVaryingParts(found)).toBe(withoutVaryingParts(expected))
  }
})

/** A page has the real time, a world its own generation, and a request its own id. */
function withoutVaryingParts(response: string): string {
  return response.replace(/(?<=(?:Date|Sandbox-World-Generation|X-Request-Id): ).*/g, '')
}

test('pipelined requests are answered in their order, HEAD without a body', async () => {
  const { connect } = await openServer({ scenario })
  const client = connect()
  const lines = ['GET /v1/inventory', 'HEAD /v1/inventory', 'GET /v1/orders', 'GET /v1/inventory']
  for (let round = 0; round < 3; round++) {
    client.send(lines.map((line) => toRequest(line, [authorization])).join(''))
    const found: unknown[] = []
    for (const line of lines) {
      const { status, text } = await client.response(line.split(' ')[0])
      found.push([status, text === '' ? 0 : JSON.parse(text).length])
    }
    expect(found).toEqual([
      [200, 1_000],
      [200, 0],
      [404, undefined],
      [200, 1_000],
    ])
  }
  expect(client.rest).toBe('')
})
