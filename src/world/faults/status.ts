import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import { defineFault } from './kind.js'

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
      title: 'Retry-After',
      description: 'Value of the Retry-After header, in seconds.',
    }),
  },
  example: { status: 503, retryAfterSeconds: 2 },
  summarize: ({ status, code }) => `responds with ${status}${code === undefined ? '' : ` ${code}`}`,
  respond: ({ status, code, message = 'simulated by a fault', retryAfterSeconds }) => ({
    status,
    code,
    message,
    retryAfterSeconds,
  }),
})
