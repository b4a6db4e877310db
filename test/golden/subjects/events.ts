import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import type { RequestRow } from '../../support/http-client.js'
import { openServer } from '../exchange.js'
import { toReadableEvents } from '../readable.js'
import type { Subject } from '../subject.js'

const key = 'sbx_free_default_events'

/** What each stream sees: requests, but none of these changes, until the world restarts. */
const requests: readonly RequestRow[] = [
  ['GET /v1/inventory', { key }],
  ['PATCH /v1/inventory/1', { key, json: { quantity: 'a\nb\r\n\ndata: forged\n\n\u2028' } }],
  ['PATCH /sandbox/pets/1', { key, json: { quantity: 9 } }],
  ['PATCH /sandbox/clock', { key, json: { frozen: true, advance: 'PT90S' } }],
  ['POST /sandbox/faults', { key, json: { type: 'reset', phase: 'after', atMost: 1 } }],
  ['PATCH /v1/inventory/1', { key, json: { quantity: 3 } }],
  ['GET /staging/v1/inventory', { key }],
  ['GET /v1/inventory', { key: 'sbx_free_default_other' }],
  ['GET /v1/inventory', { key: 'sbx_pro_default_events' }],
  ['DELETE /sandbox/requests', { key }],
  ['POST /quickstart/messages', { key, json: { message: 'Hello' } }],
]

export const events: Subject = {
  name: 'events',
  async produce() {
    const server = await openServer()
    const send = async (rows: readonly RequestRow[]) => {
      for (const row of rows) await server.send(...row)
    }
    const first = await openStream(server.url)
    await send(requests)
    await first.count(6)
    const resumed = await openStream(server.url, { 'Last-Event-ID': '2' })
    await send([['GET /v1/store/orders', { key }]])
    await resumed.count(2)
    await send([['PUT /sandbox/scenario', { key, json: 'low-stock' }]])
    const afterRestart = await openStream(server.url)
    await send([
      ['GET /v1/inventory', { key }],
      ['POST /sandbox/reset', { key }],
    ])
    const ofEvicted = await openStream(server.url)
    server.sandbox.reset()
    return {
      first: await first.rest(),
      resumed: await resumed.rest(),
      afterRestart: await afterRestart.rest(),
      ofEvicted: await ofEvicted.rest(),
      withoutStream: await server.exchange([
        ['HEAD /sandbox/events', { key }],
        ['GET /sandbox/events'],
        ['POST /sandbox/events', { key }],
        ['GET /sandbox/events?since=1', { key }],
      ]),
    }
  },
}

/** Opens a stream of events, and waits until it has begun. */
async function openStream(url: string, headers: Readonly<Record<string, string>> = {}) {
  const request = get(`${url}/sandbox/events`, {
    headers: { Authorization: `Bearer ${key}`, ...headers },
  })
  onTestFinished(() => void request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage] // the event has one
  response.setEncoding('utf8')
  let text = ''
  response.on('data', (chunk: string) => {
    text += chunk
  })
  /** Waits until that many messages have arrived, the first of which is a comment. */
  const count = async (messages: number) => {
    while (text.split('\n\n').length <= messages) await once(response, 'data')
  }
  await count(1)
  return {
    count,
    /** Returns the headers and the whole text, when the sandbox has ended the stream. */
    async rest() {
      if (!response.readableEnded) await once(response, 'end')
      const { connection, 'keep-alive': _, ...received } = response.headers
      return { headers: received, messages: toReadableEvents(text) }
    },
  }
}
