import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import { defineFault } from './kind.js'

/** Maximum length of a body, in characters. */
const maximumBody = 16_384

/** Responds with an error status. */
export const status = defineFault({
  title: 'Error status',
  description: 'Responds with an error status; the operation does not run.',
  fields: {
    status: annotate(z.int().check(z.minimum(400), z.maximum(599)), {
      title: 'Status',
      description: 'HTTP status, 400 to 599.',
    }),
    code: annotate(
      z.optional(z.string().check(z.regex(/^[a-z][a-z0-9_]*$/, { error: 'snake_case' }))),
      { title: 'Code', description: 'Code of the Error body, in snake_case.' },
    ),
    message: annotate(z.optional(z.string()), {
      title: 'Message',
      description: 'Message of the Error body.',
    }),
    retryAfterSeconds: annotate(z.optional(z.int().check(z.minimum(0), z.maximum(31_536_000))), {
      title: 'Retry after seconds',
      description: 'Value of the Retry-After header, in seconds.',
    }),
    retryAfterFormat: annotate(z.optional(z.enum(['seconds', 'date'])), {
      title: 'Retry after format',
      description: 'seconds (default), or date: an HTTP date in the time of the world.',
    }),
    body: annotate(z.optional(z.string().check(z.maxLength(maximumBody))), {
      title: 'Body',
      description:
        'Text in place of the Error body, such as the page of a proxy. Its Content-Type is text/html, unless headers state another.',
    }),
    headers: annotate(z.optional(createHeadersSchema()), {
      title: 'Headers',
      description:
        'Headers to add. They replace headers of the response with the same name: {"Content-Type":"text/plain","Via":["1.1 a","1.1 b"]}. An array sends one header for each value; an empty array removes the header.',
    }),
  },
  example: { status: 503, retryAfterSeconds: 2 },
  findConflict: ({ body, code, message }) => {
    if (body === undefined) return undefined
    return code !== undefined ? 'code' : message === undefined ? undefined : 'message'
  },
  summarize: ({ status, code, body }) =>
    `responds with ${status}${code === undefined ? '' : ` ${code}`}${body === undefined ? '' : ' and a body of its own'}`,
  respond: ({ message = 'simulated by a fault', body, headers = {}, ...rest }) => ({
    ...rest,
    message,
    body,
    headers: Object.entries(body === undefined ? headers : withContentType(headers)),
  }),
})

function withContentType<Values>(headers: Readonly<Record<string, Values>>) {
  const isStated = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return isStated ? headers : { 'Content-Type': 'text/html; charset=utf-8', ...headers }
}

/**
 * Headers of the connection, headers that affect all pages of the origin, headers that a page cannot
 * receive, and headers that the sandbox itself sends.
 */
const reservedHeaders =
  /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|http2-settings|content-(encoding|length)|set-cookie2?|x-request-id|date|alt-svc|clear-site-data|strict-transport-security)$/i

function createHeadersSchema() {
  const value = z.string().check(
    z.regex(/^([!-~]([\t -~]{0,998}[!-~])?)?$/, {
      error: 'at most 1000 printable ASCII characters without space around them',
    }),
  )
  const values = z.array(value).check(z.maxLength(10))
  return z.record(z.string(), z.union([value, values])).check(
    checkNames,
    z.refine((headers) => Object.keys(headers).length <= 20, {
      error: 'an object with at most 20 headers',
    }),
  )
}

/** Rejects each name that {@link findProblem} finds a problem with. */
function checkNames({ value, issues }: z.core.ParsePayload<Record<string, unknown>>): void {
  const known = new Set<string>()
  for (const name of Object.keys(value)) {
    const problem = findProblem(name, known)
    known.add(name.toLowerCase())
    if (problem === undefined) continue
    issues.push({ code: 'custom', path: [name], input: value[name], message: `absent: ${problem}` })
  }
}

/** @param known Names of other headers, in lower case. */
function findProblem(name: string, known: ReadonlySet<string>): string | undefined {
  if (reservedHeaders.test(name)) return 'a fault cannot set this header'
  if (!/^[!#$%&'*+.^`|~\w-]{1,100}$/.test(name)) return 'this is not the name of a header'
  return known.has(name.toLowerCase()) ? 'the name occurs in another spelling' : undefined
}
