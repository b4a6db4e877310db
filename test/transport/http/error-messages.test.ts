import { expect, test } from 'vitest'
import { HttpLimits } from '../../../src/service/bounds.js'
import { errorTexts } from '../../../src/service/error-texts.js'
import type { ErrorCode } from '../../../src/service/errors.js'
import { authorization, openServer, toRequest } from './support/open-server.js'

const list = toRequest('GET /v1/inventory', [authorization])

/** Expects the code and the message that the documents show of an error. */
function expectDocumented(
  response: { readonly text: string },
  code: ErrorCode,
  message: string = errorTexts[code].example,
): void {
  expect(JSON.parse(response.text)).toMatchObject({ code, message })
}

test.each([
  ['malformed_request', toRequest('GET //inventory', [authorization])],
  ['headers_too_large', toRequest('GET /v1/inventory', [`X-Long: ${'a'.repeat(20_000)}`])],
] as const)('the server sends the documented message of %s', async (code, request) => {
  const { send } = await openServer()
  expectDocumented(await send(request), code)
})

test('the server sends the documented message of request_timeout', async () => {
  const limits = { headersTimeoutMs: 40, requestTimeoutMs: 60, lingerMs: 20 }
  const { send } = await openServer({ limits })
  expectDocumented(await send('GET /v1/inv'), 'request_timeout')
})

test('the server sends the documented message of sandbox_capacity with its limit', async () => {
  const { connect } = await openServer({ limits: { clientConnections: 1 } })
  await connect().send(list).response()
  const shown = errorTexts.sandbox_capacity.example
  const own: string = shown.replace(
    `${new HttpLimits().clientConnections} connections`,
    '1 connections',
  )
  expect(own).not.toBe(shown)
  expectDocumented(await connect().send(list).response(), 'sandbox_capacity', own)
})
