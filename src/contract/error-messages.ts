import type { ErrorCode } from './errors.js'

/** A message that each error may carry, as the documents show it. */
export const errorMessages: Readonly<Record<ErrorCode, string>> = {
  invalid_json: 'the body must be JSON, found "{\\"quantity\\":" (string)',
  missing_field: 'quantity is missing, wanted an integer from 0',
  invalid_field: 'quantity must be an integer from 0, found "5" (string)',
  invalid_scenario: 'the scenario "low-stok" is unknown, did you mean low-stock',
  invalid_parameter:
    'Prefer: code must be one of 200, 401, 429, 500 at this operation, found "418"',
  unsupported_media_type: 'Content-Type must be application/json, found "text/plain" (string)',
  malformed_request: 'the request must be well-formed HTTP, found something else',
  missing_api_key: 'the Authorization header must be "Bearer <API_KEY>", found none',
  invalid_api_key: 'the API key sbx_revoked… is revoked',
  cross_origin_denied: 'a page of https://shop.example may not steer a world',
  pet_not_found: 'no pet has the petId 404 in this world',
  route_not_found: 'GET /stock is no operation of this address',
  resource_not_found: 'this world has no such resource',
  method_not_allowed: 'POST /inventory is no operation; the path has GET, HEAD, OPTIONS',
  request_timeout: 'the request must arrive within 30 seconds',
  resource_conflict: 'the resource exists already',
  operation_gone: 'getPet was sunset at 2026-04-01T00:00:00.000Z',
  payload_too_large: 'the body must be at most 65536 bytes',
  headers_too_large: 'the header section must be at most 16384 bytes',
  rate_limit_exceeded:
    'the limit of 60 requests per minute of plan Free is used up; retry after 42 seconds',
  api_key_banned: 'the API key is banned until 2026-01-01T09:05:00Z; retry after 42 seconds',
  internal_error: 'a defect of the sandbox; its log has the details',
  sandbox_capacity: 'the sandbox is full; retry later',
}
