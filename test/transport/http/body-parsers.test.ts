import express, { type RequestHandler } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { createSandboxMiddleware } from '../../../src/server.js'
import { express4 } from '../../support/express-4.js'
import { RawClient } from '../../support/raw-client.js'
import { serve } from '../../support/server.js'
import { authorization, toRequest } from './support/open-server.js'

/** Serves a sandbox behind other middlewares. */
async function open(...before: RequestHandler[]) {
  const middleware = await createSandboxMiddleware()
  onTestFinished(() => middleware.close())
  const url = await serve(express().use(...before, middleware))
  const send = (method: string, path: string, body: BodyInit, headers = {}) =>
    fetch(`${url}${path}`, {
      method,
      body,
      headers: {
        Authorization: 'Bearer sbx_enterprise',
        'Content-Type': 'application/json',
        ...headers,
      },
      // Required for a body without a length.
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    })
  const update = (body: BodyInit, headers = {}) => send('PATCH', '/v1/inventory/1', body, headers)
  return { url, send, update, world: middleware.sandbox.world }
}

const parsers = { 'Express 5': express.json(), 'Express 4': express4.json() }

test.each(Object.entries(parsers))(
  'after express.json() of %s, the parsed body is used',
  async (_, parser) => {
    const { url, send, update, world } = await open(parser)
    expect(await (await update('{"quantity":5}')).json()).toMatchObject({ quantity: 5 })
    expect(await (await update(new Blob(['{"quantity":6}']).stream())).json()).toMatchObject({
      quantity: 6,
    })
    const sent = await send('POST', '/quickstart/messages', '{"message":"Æ\\ud83d"}')
    expect(await sent.json()).toMatchObject({ message: 'Æ\ud83d' })
    expect((await send('PATCH', '/sandbox/clock', '{"advance":"PT1M"}')).status).toBe(200)
    expect(world.requests.find('updateInventory')).toHaveLength(2)
    // Express 4 sets `req.body` to an object here.
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await (await update('quantity=5', form)).json()).toMatchObject({
      code: 'unsupported_media_type',
    })
    // A request without a body is not affected.
    const headers = { Authorization: 'Bearer sbx_enterprise' }
    expect(await (await fetch(`${url}/v1/inventory`, { headers })).json()).toHaveLength(12)
  },
)

test.each<[what: string, status: number, code: string, body: string, headers?: object]>([
  ['a missing field', 400, 'missing_field', '{}'],
  ['an array', 400, 'invalid_field', '[5]'],
  ['__proto__', 400, 'invalid_field', '{"quantity":5,"__proto__":{}}'],
  ['a body over 64 KiB', 413, 'payload_too_large', '{"quantity":5}'.padEnd(65_537)],
  ['no content', 400, 'invalid_json', ''],
  [
    'another Content-Type',
    400,
    'unsupported_media_type',
    '{"quantity":5}',
    { 'Content-Type': 'text/plain' },
  ],
])(
  'after express.json(), the sandbox rejects %s: %i %s',
  async (_, status, code, body, headers) => {
    const { update } = await open(express.json())
    const response = await update(body, headers)
    expect(await response.json()).toMatchObject({ status, code })
  },
)

test('after express.json(), an empty body in chunks is rejected', async () => {
  const { url } = await open(express.json())
  const client = new RawClient(Number(new URL(url).port))
  onTestFinished(() => client.abort())
  const headers = [authorization, 'Content-Type: application/json', 'Transfer-Encoding: chunked']
  const request = `${toRequest('PATCH /v1/inventory/1', headers)}0\r\n\r\n`
  const { status, text } = await client.send(request).response()
  expect([status, JSON.parse(text).code]).toEqual([400, 'invalid_json'])
})

// docs/middleware.md lists the following.

test('after express.json(), the journal has the JSON of the parsed value', async () => {
  const bodies = ['{ "quantity": 9007199254740993 }', '{"quantity":1,"quantity":1e400}']
  const recordOf = async (...before: RequestHandler[]) => {
    const { update, world } = await open(...before)
    for (const body of bodies) await update(body)
    return world.requests.find().map(({ requestBody }) => requestBody)
  }
  expect(await recordOf(express.json())).toEqual([
    '{"quantity":9007199254740992}',
    '{"quantity":null}',
  ])
  expect(await recordOf()).toEqual(bodies)
})

test.each([
  ['express.raw()', express.raw({ type: '*/*' })],
  ['express.text()', express.text({ type: '*/*' })],
])('after %s, the sandbox reads what it has kept', async (_, parser) => {
  const { update } = await open(parser)
  expect(await (await update('{"quantity":5}')).json()).toMatchObject({ quantity: 5 })
  expect(await (await update('{"quantity":')).json()).toMatchObject({ code: 'invalid_json' })
  expect((await update(' '.repeat(65_537))).status).toBe(413)
})

test('after a middleware that has read the body and not kept it, responds with 500', async () => {
  const { update } = await open((req, _res, next) => void req.resume().once('end', next))
  expect(await (await update('{"quantity":5}')).json()).toEqual({
    code: 'internal_error',
    message:
      'a middleware before the sandbox has read the body and not set req.body; mount the sandbox before it',
    status: 500,
  })
})
