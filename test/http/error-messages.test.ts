import { expect, test } from 'vitest'
import { errorMessages } from '../../src/contract/error-messages.js'
import type { ErrorCode } from '../../src/contract/errors.js'
import { defaultHttpLimits } from '../../src/http/limits.js'
import { authorization, openServer, toRequest } from './support/open-server.js'
import type { RawAnswer } from './support/raw-client.js'

const list = toRequest('GET /v1/inventory', [authorization])

/** Holds that an response says what the documents show of an error. */
function expectShown(response: RawAnswer, code: ErrorCode, message = errorMessages[code]): void {
  expect(JSON.parse(response.text)).toMatchObject({ code, message })
}

test.each([
  ['malformed_request', toRequest('GET //inventory', [authorization])],
  ['headers_too_large', toRequest('GET /v1/inventory', [`X-Long: ${'a'.repeat(20_000)}`])],
] as const)('%s of the documents is what the server says', async (code, request) => {
  const { send } = await openServer()
  expectShown(await send(request), code)
})

test('request_timeout of the documents is what the server says', async () => {
  const limits = { headersTimeoutMs: 40, requestTimeoutMs: 60, lingerMs: 20 }
  const { send } = await openServer({ limits })
  expectShown(await send('GET /v1/inv'), 'request_timeout')
})

test('sandbox_capacity of the documents is what the server says, but for its own limit', async () => {
  const { connect } = await openServer({ limits: { connections: 1 } })
  await connect().send(list).response()
  const shown = errorMessages.sandbox_capacity
  const own = shown.replace(`${defaultHttpLimits.connections} connections`, '1 connections')
  expect(own).not.toBe(shown)
  expectShown(await connect().send(list).response(), 'sandbox_capacity', own)
})
