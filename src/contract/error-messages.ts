import type { ErrorCode } from './errors.js'

/** A message that each error may carry, as the documents show it. */
export const errorMessages: Readonly<Record<ErrorCode, string>> = {
  invalid_json: 'the body must be JSON, found "{\\"quantity\\":" (string)',
  missing_field: 'quantity is missing, wanted an integer from 0',
  invalid_field: 'quantity must be an integer from 0, found "5" (string)',
  invalid_scenario: 'scenario object: seed must be an integer, found "one" (string)',
  invalid_parameter:
    'Prefer: code must be one of 200, 401, 429, 500 at this operation, found "418"',
  unsupported_media_type: 'Content-Type must be application/json, found "text/plain" (string)',
  malformed_request:
    'the request target must be a path that begins with one slash, found "//inventory" (string)',
  missing_api_key: 'the Authorization header must be "Bearer <API_KEY>", found none',
  invalid_api_key: 'the API key sbx_revoked… is revoked',
  cross_origin_denied:
    'a page of another origin may not steer a world, found a request from https://shop.example',
  pet_not_found: 'no pet has the petId 404 in this world',
  route_not_found: 'GET /stock is no operation of the Production address',
  resource_not_found: 'no order has the id 404 in this world',
  method_not_allowed: 'POST /inventory is no operation; the path has GET, HEAD, OPTIONS',
  request_timeout: 'the request did not arrive in time',
  resource_conflict: 'the petId 7 is taken in this world; change it instead',
  operation_gone: 'getPet was sunset at 2026-04-01T00:00:00.000Z',
  payload_too_large: 'the body must be at most 65536 bytes',
  headers_too_large: 'the header section must be at most 16384 bytes',
  rate_limit_exceeded:
    'the limit of 60 requests per minute of plan Free is used up; retry after 42 seconds',
  api_key_banned: 'the API key is banned until 2026-01-01T09:05:00Z; retry after 42 seconds',
  internal_error: 'a defect of the sandbox; its log has the details',
  sandbox_capacity:
    'the sandbox is at its limit of 1000 connections; this is not a limit of the service',
}
