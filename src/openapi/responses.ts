import { type ErrorCode, errorCodes } from '../contract/errors.js'
import {
  type ControlHeaderName,
  controlHeaderDetails,
  type HeaderName,
  headerDetails,
} from '../contract/headers.js'
import type { Content, Header, Response } from './document.js'
import type { JsonSchema } from './schemas.js'
import type { DescribedOperation, OpenApiSource } from './source.js'

type AnyHeaderName = HeaderName | ControlHeaderName

const allHeaderDetails = { ...headerDetails, ...controlHeaderDetails }

/** Names of the headers that the documents describe. */
export const headerNames = Object.keys(allHeaderDetails) as AnyHeaderName[] // the keys of a const table

/** Meanings of statuses (spec §7). */
const statusMeanings: Readonly<Record<number, string>> = {
  400: 'Bad request: missing required fields or invalid values.',
  401: 'Missing or invalid API key.',
  404: 'Resource not found.',
  429: 'Rate limit exceeded; back off and retry after the interval in the `Retry-After` header.',
}

const errorSchema = { $ref: '#/components/schemas/Error' }

/**
 * Returns the responses of an operation by status; `default` covers errors that any request can
 * receive.
 */
export function toResponses(
  operation: DescribedOperation,
  schema: JsonSchema | undefined,
  source: OpenApiSource,
): Record<string, Response> {
  const messages = { ...source.errorMessages, ...operation.errorMessages }
  const responses: Record<string, Response> = {
    [operation.response.status ?? 200]: toSuccess(operation, schema, source),
  }
  for (const [status, codes] of groupByStatus(operation.allErrors)) {
    responses[status] = {
      description: statusMeanings[status] ?? describeCodes(codes),
      ...toHeaders(headersOfListed(status, operation, source)),
      content: toErrorContent(codes, messages),
    }
  }
  responses.default = toDefault(operation, source)
  return responses
}

/** Groups codes by status, in ascending order. */
export function groupByStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes) {
    const { status } = errorCodes[code]
    groups.set(status, [...(groups.get(status) ?? []), code])
  }
  return [...groups].sort(([a], [b]) => a - b)
}

function toSuccess(
  operation: DescribedOperation,
  schema: JsonSchema | undefined,
  source: OpenApiSource,
): Response {
  const { status = 200, description, body, mediaType = 'application/json' } = operation.response
  const headers = toHeaders(headersOfListed(status, operation, source))
  if (!schema) return { description, ...headers }
  const media = body?.example === undefined ? { schema } : { schema, example: body.example }
  return { description, ...headers, content: { [mediaType]: media } }
}

function toDefault(operation: DescribedOperation, source: OpenApiSource): Response {
  const statuses = source.commonErrors.map((code) => errorCodes[code].status)
  const names = new Set<HeaderName>(
    statuses.flatMap((status) => headersOf(status, operation, source.isRateLimited)),
  )
  // A fault can send it with any status.
  if (source.isRateLimited) names.add('Retry-After')
  return {
    description: `Any other error: ${source.otherErrors}`,
    headers: Object.fromEntries(Array.from(names, (name) => [name, toHeader(name)])),
    content: toErrorContent(source.commonErrors, source.errorMessages),
  }
}

function describeCodes(codes: readonly ErrorCode[]): string {
  return codes.map((code) => errorCodes[code].meaning).join(' ')
}

function toErrorContent(
  codes: readonly ErrorCode[],
  messages: OpenApiSource['errorMessages'] = {},
): Content {
  const examples = codes.map((code) => {
    const { status, meaning, example } = errorCodes[code]
    const message = messages[code] ?? example
    return [code, { summary: meaning, value: { code, message, status } }] as const
  })
  return {
    'application/json': { schema: errorSchema, examples: Object.fromEntries(examples) },
  }
}

function toHeaders(names: readonly AnyHeaderName[]): Pick<Response, 'headers'> {
  if (names.length === 0) return {}
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return { headers: Object.fromEntries(references) }
}

/** Describes a header that a response may have. */
export function toHeader(name: AnyHeaderName): Header {
  const { meaning, on, schema, example } = allHeaderDetails[name]
  return { description: `${meaning}. On ${on}.`, schema, example }
}

const rateLimitHeaders: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]
const deprecationHeaders: readonly HeaderName[] = ['Deprecation', 'Sunset', 'Link']
const statusHeaders: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
}

/** Returns the headers on each response of an operation with the given status. */
function headersOf(
  status: number,
  operation: { readonly deprecated?: true | undefined },
  isRateLimited: boolean,
): readonly HeaderName[] {
  return [
    ...(isRateLimited ? rateLimitHeaders : []),
    ...(operation.deprecated ? deprecationHeaders : []),
    ...(statusHeaders[status] ?? []),
  ]
}

/** Statuses of errors that a request can also receive before its key has been verified. */
const statusesWithoutWorld: readonly number[] = [401, 403, 500, 503]

/** Returns the headers on each response that the document lists for an operation by its status. */
function headersOfListed(
  status: number,
  operation: { readonly deprecated?: true | undefined },
  { isRateLimited, hasGeneration }: OpenApiSource,
): readonly AnyHeaderName[] {
  const names = headersOf(status, operation, isRateLimited)
  if (!hasGeneration || statusesWithoutWorld.includes(status)) return names
  return [...names, 'Sandbox-World-Generation']
}
