import { expect, test } from 'vitest'
import type { ApiResponse } from '../../../src/engine/exchange.js'
import { createSandbox } from '../../../src/index.js'
import { HttpLimits } from '../../../src/service/bounds.js'
import { Problem } from '../../../src/service/errors.js'
import { Clients } from '../../../src/transport/http/clients.js'
import { Responder, toProblemResponse } from '../../../src/transport/http/respond.js'
import { RawClient } from '../../support/raw-client.js'
import { serve } from '../../support/server.js'

const problem = new Problem('internal_error', 'for a test')

/** Returns the Date headers of a response as the server sends it. */
async function sendAndReadDates(response: ApiResponse): Promise<readonly string[]> {
  const { core } = await createSandbox()
  const responder = new Responder(new Clients(core, new HttpLimits()))
  const url = await serve((_req, res) => void responder.send(res, response, true))
  const client = new RawClient(Number(new URL(url).port))
  client.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await client.closed()
  return client.rest.split('\r\n').filter((line) => /^date:/i.test(line))
}

test('a response with a Date header is sent with this header only', async () => {
  const date = 'Thu, 01 Jan 2026 09:00:00 GMT'
  const response = toProblemResponse(problem)
  const headers = [...response.headers, 'Date', date]
  const dates = await sendAndReadDates({ ...response, headers })
  expect(dates).toEqual([`Date: ${date}`])
})

test('a response without a Date header is sent with the real time', async () => {
  const before = Math.floor(Date.now() / 1_000) * 1_000
  const [line = '', ...others] = await sendAndReadDates(toProblemResponse(problem))
  expect(others).toEqual([])
  expect(Date.parse(line.slice('Date: '.length))).toBeGreaterThanOrEqual(before)
})
