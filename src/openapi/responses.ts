import { errorMessages } from '../contract/error-messages.js'
import { type ErrorCode, errorCodes } from '../contract/errors.js'
import type { Content, Header, Response } from './document.js'
import { type HeaderName, headerDetails, headersOf } from './headers.js'
import type { JsonSchema } from './schemas.js'
import type { DescribedOperation, OpenApiSource, OperationDetail } from './source.js'

/** What spec §7 says of the statuses that it names. */
const statusMeanings: Readonly<Record<number, string>> = {
  400: 'Bad request: missing required fields or invalid values.',
  401: 'Missing or invalid API key.',
  404: 'Resource not found.',
  429: 'Rate limit exceeded; back off and retry after the interval in the `Retry-After` header.',
}

const errorSchema = { $ref: '#/components/schemas/Error' }

/** The responses of an operation by status; `default` is all that can happen to any call. */
export function toResponses(
  operation: DescribedOperation,
  detail: OperationDetail,
  schema: JsonSchema | undefined,
  source: OpenApiSource,
): Record<string, Response> {
  const responses: Record<string, Response> = {
    [operation.success]: toSuccess(operation, detail, schema, source),
  }
  for (const [status, codes] of groupByStatus(operation.errors)) {
    responses[status] = {
      description: statusMeanings[status] ?? describeCodes(codes),
      ...toHeaders(headersOf(status, operation, source.isRateLimited)),
      content: toErrorContent(codes, { ...source.errorMessages, ...detail.errorMessages }),
    }
  }
  responses.default = toDefault(operation, source)
  return responses
}

/** The codes by their status, from the lowest up. */
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
  detail: OperationDetail,
  schema: JsonSchema | undefined,
  source: OpenApiSource,
): Response {
  const response = {
    description: detail.success,
    ...toHeaders(headersOf(operation.success, operation, source.isRateLimited)),
  }
  if (!schema) return response
  const { mediaType = 'application/json', response: example } = detail
  const media = example === undefined ? { schema } : { schema, example }
  return { ...response, content: { [mediaType]: media } }
}

function toDefault(operation: DescribedOperation, source: OpenApiSource): Response {
  const statuses = source.commonErrors.map((code) => errorCodes[code].status)
  const names = new Set<HeaderName>(
    statuses.flatMap((status) => headersOf(status, operation, source.isRateLimited)),
  )
  // A fault of a scenario may carry it at any status.
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
  messages: OperationDetail['errorMessages'] = {},
): Content {
  const examples = codes.map((code) => {
    const { status, meaning } = errorCodes[code]
    const message = messages[code] ?? errorMessages[code]
    return [code, { summary: meaning, value: { code, message, status } }] as const
  })
  return {
    'application/json': { schema: errorSchema, examples: Object.fromEntries(examples) },
  }
}

function toHeaders(names: readonly HeaderName[]): Pick<Response, 'headers'> {
  if (names.length === 0) return {}
  const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }])
  return { headers: Object.fromEntries(references) }
}

/** A header as a response describes it that does not always carry it. */
export function toHeader(name: HeaderName): Header {
  const { meaning, on, schema, example } = headerDetails[name]
  return { description: `${meaning}. On ${on}.`, schema, example }
}
