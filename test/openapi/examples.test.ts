import { describe, expect, test } from 'vitest'
import { addresses } from '../../src/contract/addresses.js'
import { errorMessages } from '../../src/contract/error-messages.js'
import type { ErrorCode } from '../../src/contract/errors.js'
import { operationDetails } from '../../src/contract/operation-details.js'
import { type OperationId, operationIds, operations } from '../../src/operations/operations.js'
import { requestSchemas } from '../../src/contract/request-schemas.js'
import { responseSchemas } from '../../src/contract/response-schemas.js'
import { createSandbox } from '../../src/index.js'
import type { OperationDetail } from '../../src/openapi/source.js'

const authorization = 'Bearer sbx_free'
const json = { authorization, 'content-type': 'application/json' }

/** Calls an operation of a new sandbox whose `default` world starts on 1 January 2026. */
async function send(
  id: OperationId,
  init: RequestInit = { headers: { authorization } },
  petId = '7',
): Promise<unknown> {
  const now = () => Date.parse('2026-01-01T09:00:00Z')
  const sandbox = await createSandbox({ now })
  const { path, method, addresses: at } = operations[id]
  const url = `${addresses[at[0]].url}${path.replace('{petId}', petId)}`
  const response = await sandbox.fetch(url, { method, ...init })
  return response.json()
}

function send(id: OperationId, body: unknown): Promise<unknown> {
  return send(id, { headers: json, body: JSON.stringify(body) })
}

describe('the examples of the documents', () => {
  test.each(operationIds)('%s shows a response that its schema takes', (id) => {
    const { response } = operationDetails[id]
    expect(responseSchemas[id].parse(response)).toEqual(response)
  })

  test.each(Object.keys(requestSchemas) as (keyof typeof requestSchemas)[])(
    '%s shows a request that its schema takes',
    (id) => {
      const { request } = operationDetails[id]
      expect(requestSchemas[id].parse(request)).toEqual(request)
    },
  )

  test.each(['listInventory', 'listOrders'] as const)(
    '%s shows entries that the default scenario has',
    async (id) => {
      const { response } = operationDetails[id]
      expect(await send(id)).toEqual(expect.arrayContaining(response as unknown[]))
    },
  )

  test('getPet shows what the default scenario responses', async () => {
    expect(await send('getPet')).toEqual(operationDetails.getPet.response)
  })

  test('updateInventory shows what the default scenario answers to its request', async () => {
    const { request, response } = operationDetails.updateInventory
    expect(await send('updateInventory', request)).toEqual(response)
  })

  test('sendMessage shows what is answered to its request, but for the id', async () => {
    const { request, response } = operationDetails.sendMessage
    expect(await send('sendMessage', request)).toEqual({
      ...(response as object),
      id: expect.stringMatching(/^msg_[A-Za-z0-9]{24}$/),
    })
  })
})

const update = 'updateInventory'
const errorCases: readonly [ErrorCode, OperationId, RequestInit, string?][] = [
  ['missing_api_key', 'listInventory', {}],
  ['invalid_api_key', 'listInventory', { headers: { authorization: 'Bearer sbx_revoked' } }],
  ['invalid_parameter', 'listInventory', { headers: { authorization, prefer: 'code=418' } }],
  ['invalid_parameter', 'getPet', { headers: { authorization } }, 'seven'],
  ['invalid_parameter', update, { headers: json, body: '{"quantity":5}' }, 'seven'],
  ['pet_not_found', 'getPet', { headers: { authorization } }, '404'],
  ['invalid_json', update, { headers: json, body: '{"quantity":' }],
  ['missing_field', update, { headers: json, body: '{}' }],
  ['invalid_field', update, { headers: json, body: '{"quantity":"5"}' }],
  ['payload_too_large', update, { headers: json, body: ' '.repeat(65_537) }],
  [
    'unsupported_media_type',
    update,
    { headers: { authorization, 'content-type': 'text/plain' }, body: '{"quantity":5}' },
  ],
  ['invalid_json', 'sendMessage', { headers: json, body: '{"message":' }],
  ['missing_field', 'sendMessage', { headers: json, body: '{}' }],
  ['invalid_field', 'sendMessage', { headers: json, body: '{"message":5}' }],
  ['method_not_allowed', 'listInventory', { method: 'POST', headers: { authorization } }],
]

describe('the error messages of the documents', () => {
  test.each(errorCases)('%s of %s is what the sandbox says', async (code, id, init, petId) => {
    const detail: OperationDetail = operationDetails[id]
    const message = detail.errorMessages?.[code] ?? errorMessages[code]
    expect(await send(id, init, petId)).toMatchObject({ code, message })
  })
})
