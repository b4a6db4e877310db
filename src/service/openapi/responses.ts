import { errorTexts } from '../error-texts.js'
import { type ErrorCode, errorCodes } from '../errors.js'
import { type HeaderDetail, headerDetails, requestIdHeader } from '../headers.js'
import type { JsonSchema } from './schemas.js'
import type { DescribedOperation, OpenApiSource } from './source.js'

/** A response in a document. */
export interface Response {
  readonly description: string
  /** The values of `code` that are known for this status of the operation. */
  readonly 'x-error-codes'?: readonly string[]
  readonly headers: Readonly<Record<string, Header | { readonly $ref: string }>>
  /** Bodies by media type. */
  readonly content?: Readonly<Record<string, MediaType>>
}

/** A response header in a document. */
export interface Header {
  readonly description: string
  readonly required?: true
  readonly schema: object
  readonly example: number | string
}

/** A body in a document. */
interface MediaType {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { summary: string; value: unknown }>>
}

type HeaderName = keyof typeof headerDetails | 'Sandbox-World-Generation'

/** The headers of the service, and the additional header of the control API. */
const allHeaderDetails: Readonly<Record<HeaderName, HeaderDetail>> = {
  ...headerDetails,
  'Sandbox-World-Generation': {
    meaning: 'Changes whenever the world restarts, or is evicted and created again',
    on: 'every response of the control API to a request with a valid key',
    example: 1_767_258_000_000,
  },
}

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
  const { response, errorMessages = {}, allErrors } = operation
  const { status = 200, otherStatuses = {}, mediaType = 'application/json' } = response
  const responses: Record<string, Response> = {}
  for (const [success, condition] of Object.entries({ [status]: '', ...otherStatuses })) {
    responses[success] = {
      description: `${response.description} ${condition}`.trimEnd(),
      headers: toHeaders(Number(success), operation, source),
      ...(schema && { content: { [mediaType]: { schema, example: response.body?.example } } }),
    }
  }
  for (const [errorStatus, codes] of groupByStatus([...new Set(allErrors)])) {
    const meanings = codes.map((code) => errorTexts[code].meaning)
    const examples = codes.map((code) => {
      const { meaning, example } = errorTexts[code]
      const message = errorMessages[code] ?? example
      return [code, { summary: meaning, value: { code, message, status: errorStatus } }]
    })
    responses[errorStatus] = {
      description: statusMeanings[errorStatus] ?? meanings.join(' '),
      'x-error-codes': codes,
      headers: toHeaders(errorStatus, operation, source),
      content: {
        'application/json': { schema: errorSchema, examples: Object.fromEntries(examples) },
      },
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

/** Returns the headers that responses refer to. All are required, except the optional one. */
export function toHeaderComponents(paths: object): Record<string, Header> {
  const text = JSON.stringify(paths)
  const names = Object.keys(allHeaderDetails) as HeaderName[] // the keys of a const table
  const used = names.filter((name) => text.includes(`"#/components/headers/${name}"`))
  return Object.fromEntries(
    used.map((name) => [
      name,
      name === optionalHeader ? toHeader(name) : { ...toHeader(name), required: true },
    ]),
  )
}

/** Describes a header that a response may have. */
function toHeader(name: HeaderName): Header {
  const { meaning, on, example } = allHeaderDetails[name]
  const isCount = typeof example === 'number'
  const schema = isCount ? { type: 'integer', minimum: 0 } : { type: 'string' }
  return { description: `${meaning}. On ${on}.`, schema, example }
}

/** The header that only a client can request. */
const optionalHeader = 'Preference-Applied'

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
function toHeaders(
  status: number,
  { deprecated }: DescribedOperation,
  { preferences }: OpenApiSource,
): Response['headers'] {
  const hasGeneration = !preferences && !statusesWithoutWorld.includes(status)
  const names: readonly string[] = unroutedStatuses.includes(status)
    ? [requestIdHeader]
    : [
        requestIdHeader,
        ...(preferences ? rateLimitHeaders : []),
        ...(deprecated ? deprecationHeaders : []),
        ...(statusHeaders[status] ?? []),
        ...(preferences ? [optionalHeader] : []),
        ...(hasGeneration ? ['Sandbox-World-Generation'] : []),
      ]
  const headers = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
  // A fault need not send it.
  return status === 503 ? { ...headers, 'Retry-After': toHeader('Retry-After') } : headers
}
