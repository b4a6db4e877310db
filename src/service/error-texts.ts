import type { ErrorCode } from './errors.js'

/** The meaning of each error of the catalogue and an example message, for documents. */
export const errorTexts: Readonly<Record<ErrorCode, { meaning: string; example: string }>> = {
  invalid_json: {
    meaning: 'The body is not valid JSON in UTF-8.',
    example: 'the body must be JSON, found "{\\"quantity\\":" (string)',
  },
  missing_field: {
    meaning: 'The body lacks a required field.',
    example: 'quantity is missing, wanted an integer from 0',
  },
  invalid_field: {
    meaning: 'A field of the body has an invalid value.',
    example: 'quantity must be an integer from 0, found "5" (string)',
  },
  invalid_scenario: {
    meaning: 'A scenario is unknown or invalid.',
    example: 'scenario object: seed must be an integer, found "one" (string)',
  },
  invalid_parameter: {
    meaning:
      'A path parameter or query parameter is invalid, or a preference with handling=strict.',
    example:
      'with handling=strict, Prefer accepts only code (one of 200, 400, 401, 408, 421, 429, 431, 500, 503 at this operation), delay (seconds from 0 to 60), wait (whole seconds), handling (strict or lenient), found "code=418"',
  },
  unsupported_media_type: {
    meaning: 'The Content-Type of the body is not application/json.',
    example: 'Content-Type must be application/json, found "text/plain" (string)',
  },
  malformed_request: {
    meaning: 'The request is not a well-formed HTTP request.',
    example:
      'the request target must be a path that begins with one slash, found "//inventory" (string)',
  },
  missing_api_key: {
    meaning: 'The Authorization header has no bearer token.',
    example: 'the Authorization header must be "Bearer <API_KEY>", found none',
  },
  invalid_api_key: {
    meaning: 'The bearer token is not an API key of this sandbox.',
    example: 'the API key sbx_revoked… is revoked',
  },
  cross_origin_denied: {
    meaning: 'A page of another origin may not control a world.',
    example:
      'a page of another origin may not control a world, found a request from https://shop.example',
  },
  control_denied: {
    meaning: 'The sandbox does not permit this control request.',
    example:
      'the world of the shared key sbx_free… can be read but not changed; POST /sandbox/keys issues a key for a world of your own',
  },
  pet_not_found: {
    meaning: 'The world has no pet with this petId.',
    example: 'no pet has the petId 404 in this world',
  },
  route_not_found: {
    meaning: 'No operation has this path.',
    example: 'GET /stock is not an operation of the Production address',
  },
  resource_not_found: {
    meaning: 'The world has no such resource.',
    example: 'no order has the id 404 in this world',
  },
  method_not_allowed: {
    meaning: 'The path has no operation with this method.',
    example: 'POST /inventory is not an operation; the path has GET, HEAD, OPTIONS',
  },
  request_timeout: {
    meaning: 'The request did not arrive in time.',
    example: 'the request did not arrive in time',
  },
  resource_conflict: {
    meaning: 'The resource already exists.',
    example: 'a pet with the petId 7 already exists in this world; change it instead',
  },
  operation_gone: {
    meaning: 'The deprecated operation is past its sunset date.',
    example: 'the sunset of getPet was at 2026-04-01T00:00:00.000Z',
  },
  payload_too_large: {
    meaning: 'The body is larger than the sandbox accepts.',
    example: 'the body must be at most 65536 bytes',
  },
  unsupported_content_encoding: {
    meaning: 'The body has a Content-Encoding other than identity.',
    example: 'Content-Encoding must be identity or absent, found "gzip" (string)',
  },
  host_not_allowed: {
    meaning: 'The Host header names a host that the sandbox does not serve.',
    example:
      'the Host header must name this machine, found "shop.example" (string); start with --allowed-hosts shop.example to accept it',
  },
  headers_too_large: {
    meaning: 'The header section is larger than the sandbox accepts.',
    example: 'the header section must be at most 16384 bytes',
  },
  rate_limit_exceeded: {
    meaning: 'A rate-limit window of the key is exhausted.',
    example: 'the limit of 60 requests per minute of plan Free is used up; retry after 42 seconds',
  },
  api_key_banned: {
    meaning: 'The key is temporarily banned after repeated requests that received 429.',
    example: 'the API key is banned until 2026-01-01T09:05:00Z; retry after 42 seconds',
  },
  internal_error: {
    meaning: 'A bug in the sandbox.',
    example: 'a bug in the sandbox; its log has the details',
  },
  service_unavailable: {
    meaning: 'The service is temporarily unavailable, as a fault or the client has requested.',
    example: 'requested by Prefer: code=503',
  },
  sandbox_unavailable: {
    meaning: 'The store of the sandbox cannot be reached.',
    example: 'the redis store of this sandbox cannot be reached; retry after 2 seconds',
  },
  sandbox_capacity: {
    meaning: 'The sandbox has reached a capacity limit, which is not a limit of the service.',
    example:
      'the sandbox is at its limit of 2000 connections per client; this is not a limit of the service',
  },
}
