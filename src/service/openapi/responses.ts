import { errorTexts } from '../error-texts.js'
import { type ErrorCode, errorCodes } from '../errors.js'
import {
  type ControlHeaderName,
  controlHeaderDetails,
  type HeaderName,
  headerDetails,
  requestIdHeader,
} from '../headers.js'
import type {
  Content,
  DescribedOperation,
  Header,
  MediaType,
  OpenApiSource,
  Reference,
  Response,
} from './document.js'
import type { JsonSchema } from './schemas.js'

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

/** Returns the responses of an operation by status. */
export function toResponses(
  operation: DescribedOperation,
  schema: JsonSchema | undefined,
  source: OpenApiSource,
): Record<string, Response> {
  const { status = 200 } = operation.response
  const responses: Record<string, Response> = {
    [status]: toSuccess(operation, status, schema, source),
  }
  for (const [other, condition] of Object.entries(operation.response.otherStatuses ?? {})) {
    const success = toSuccess(operation, Number(other), schema, source)
    responses[other] = { ...success, description: `${success.description} ${condition}` }
  }
  for (const [errorStatus, known] of groupByStatus([...new Set(operation.allErrors)])) {
    responses[errorStatus] = {
      description:
        statusMeanings[errorStatus] ?? known.map((code) => errorTexts[code].meaning).join(' '),
      'x-error-codes': known,
      ...toHeaders(headersOfListed(errorStatus, operation, source), errorStatus),
      content: toErrorContent(known, operation),
    }
  }
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
  status: number,
  schema: JsonSchema | undefined,
  source: OpenApiSource,
): Response {
  const { description, body, mediaType = 'application/json' } = operation.response
  const headers = toHeaders(headersOfListed(status, operation, source), status)
  if (!schema) return { description, ...headers }
  return { description, ...headers, content: { [mediaType]: toMedia(schema, body?.example) } }
}

/** Returns a body with its example, if it has one. */
export function toMedia(schema: JsonSchema, example: unknown): MediaType {
  return example === undefined ? { schema } : { schema, example }
}

function toErrorContent(
  codes: readonly ErrorCode[],
  { errorMessages = {} }: DescribedOperation,
): Content {
  const examples = codes.map((code) => {
    const { status } = errorCodes[code]
    const { meaning, example } = errorTexts[code]
    const message = errorMessages[code] ?? example
    return [code, { summary: meaning, value: { code, message, status } }] as const
  })
  return {
    'application/json': { schema: errorSchema, examples: Object.fromEntries(examples) },
  }
}

/** @param status The headers of a 503 include `Retry-After`, which a fault need not send. */
function toHeaders(names: readonly AnyHeaderName[], status: number): Pick<Response, 'headers'> {
  const headers: Record<string, Header | Reference> = {}
  for (const name of names) headers[name] = { $ref: `#/components/headers/${name}` }
  if (status === 503) headers['Retry-After'] = toHeader('Retry-After')
  return Object.keys(headers).length > 0 ? { headers } : {}
}

/** Describes a header that a response may have. */
export function toHeader(name: AnyHeaderName): Header {
  const { meaning, on, example } = allHeaderDetails[name]
  const isCount = typeof example === 'number'
  const schema = isCount ? { type: 'integer', minimum: 0 } : { type: 'string' }
  return { description: `${meaning}. On ${on}.`, schema, example }
}

/** The header that a response has only if the client has requested it. */
export const optionalHeader = 'Preference-Applied'

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

/** Statuses of errors that occur before the operation or the world is known. */
const unroutedStatuses: readonly number[] = [408, 421, 431]

/** Statuses of errors that a request can also receive before its key has been verified. */
const statusesWithoutWorld: readonly number[] = [401, 403, 500, 503]

/** Returns the headers on the responses of an operation with the given status. */
function headersOfListed(
  status: number,
  { deprecated }: DescribedOperation,
  { isRateLimited, preferences }: OpenApiSource,
): readonly AnyHeaderName[] {
  if (unroutedStatuses.includes(status)) return [requestIdHeader]
  return [
    requestIdHeader,
    ...(isRateLimited ? rateLimitHeaders : []),
    ...(deprecated ? deprecationHeaders : []),
    ...(statusHeaders[status] ?? []),
    ...(preferences ? ([optionalHeader] as const) : []),
    ...(isRateLimited || statusesWithoutWorld.includes(status)
      ? []
      : (['Sandbox-World-Generation'] as const)),
  ]
}
