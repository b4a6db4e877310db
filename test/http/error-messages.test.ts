import { expect, test } from 'vitest'
import { errorMessages } from '../../src/contract/error-messages.js'
import type { ErrorCode } from '../../src/contract/errors.js'
import { defaultHttpLimits } from '../../src/http/limits.js'
import { authorization, openServer, toRequest } from './support/open-server.js'
import type { RawResponse } from './support/raw-client.js'

const list = toRequest('GET /v1/inventory', [authorization])

/** Asserts that a response has the message that the documents show for an error. */
function expectDocumented(
  response: RawResponse,
  code: ErrorCode,
  message = errorMessages[code],
): void {
  expect(JSON.parse(response.text)).toMatchObject({ code, message })
}

test.each([
  ['malformed_request', toRequest('GET //inventory', [authorization])],
  ['headers_too_large', toRequest('GET /v1/inventory', [`X-Long: ${'a'.repeat(20_000)}`])],
] as const)('%s has the documented message', async (code, request) => {
  const { send } = await openServer()
  expectDocumented(await send(request), code)
})

test('request_timeout has the documented message', async () => {
  const limits = { headersTimeoutMs: 40, requestTimeoutMs: 60, lingerMs: 20 }
  const { send } = await openServer({ limits })
  expectDocumented(await send('GET /v1/inv'), 'request_timeout')
})

test('sandbox_capacity has the documented message with the limit of the server', async () => {
  const { connect } = await openServer({ limits: { connections: 1 } })
  await connect().send(list).response()
  const documented = errorMessages.sandbox_capacity
  const own = documented.replace(`${defaultHttpLimits.connections} connections`, '1 connections')
  expect(own).not.toBe(documented)
  expectDocumented(await connect().send(list).response(), 'sandbox_capacity', own)
})
