import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'
import { addresses } from '../../../src/service/addresses.js'
import { errorTexts } from '../../../src/service/error-texts.js'
import type { ErrorCode } from '../../../src/service/errors.js'
import { describeServiceOperations } from '../../../src/service/openapi/service.js'
import {
  type OperationId,
  operationIds,
  operations,
} from '../../../src/service/operations/operations.js'

const authorization = 'Bearer sbx_free'
const json = { authorization, 'content-type': 'application/json' }

/** Sends a request to a new sandbox whose `default` world starts on 1 January 2026. */
async function request(
  id: OperationId,
  init: RequestInit = { headers: { authorization } },
  petId = '7',
): Promise<unknown> {
  const now = () => Date.parse('2026-01-01T09:00:00Z')
  const sandbox = await createSandbox({ now })
  const { path, method, addresses: ids } = operations[id]
  const url = `${addresses[ids[0] ?? 'api'].url}${path.replace('{petId}', petId)}`
  const response = await sandbox.fetch(url, { method, ...init })
  return response.json()
}

test.each(operationIds)(
  'the documented response of %s is the response of the default scenario',
  async (id) => {
    const { request: contract, response } = operations[id]
    const init = contract && { headers: json, body: JSON.stringify(contract.example) }
    const example: unknown = response.body?.example
    // A list has more entries, and the id of a message is random.
    const expected = Array.isArray(example)
      ? expect.arrayContaining(example)
      : {
          ...Object(example),
          ...(id === 'sendMessage' && { id: expect.stringMatching(/^msg_\w{24}$/) }),
        }
    expect(await request(id, init)).toEqual(expected)
  },
)

const update = 'updateInventory'
const errorCases: readonly [ErrorCode, OperationId, RequestInit, string?][] = [
  ['missing_api_key', 'listInventory', {}],
  ['invalid_api_key', 'listInventory', { headers: { authorization: 'Bearer sbx_revoked' } }],
  [
    'invalid_parameter',
    'listInventory',
    { headers: { authorization, prefer: 'handling=strict, code=418' } },
  ],
  ['invalid_parameter', 'getPet', { headers: { authorization } }, 'seven'],
  ['invalid_parameter', update, { headers: json, body: '{"quantity":5}' }, 'seven'],
  ['pet_not_found', 'getPet', { headers: { authorization } }, '404'],
  ['invalid_json', update, { headers: json, body: '{"quantity":' }],
  ['missing_field', update, { headers: json, body: '{}' }],
  ['invalid_field', update, { headers: json, body: '{"quantity":"5"}' }],
  [
    'unsupported_content_encoding',
    update,
    { headers: { ...json, 'content-encoding': 'gzip' }, body: '{"quantity":5}' },
  ],
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

test.each(errorCases)('the message of %s of %s is documented', async (code, id, init, petId) => {
  const { errorMessages } = describeServiceOperations()[id] ?? {}
  const message = errorMessages?.[code] ?? errorTexts[code].example
  expect(await request(id, init, petId)).toMatchObject({ code, message })
})
