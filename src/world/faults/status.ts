import { z } from 'zod'
import { defineFault } from './kind.js'

/** Responds with an error status. */
export const status = defineFault({
  title: 'Error status',
  description: 'Responds with an error status; the operation does not run.',
  fields: () => ({
    status: z
      .int()
      .min(400)
      .max(599)
      .meta({ title: 'Status', description: 'HTTP status, 400 to 599.' }),
    code: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/, { error: 'snake_case' })
      .optional()
      .meta({ title: 'Code', description: 'Code of the Error body, in snake_case.' }),
    message: z
      .string()
      .optional()
      .meta({ title: 'Message', description: 'Message of the Error body.' }),
    retryAfterSeconds: z
      .int()
      .min(0)
      .max(31_536_000)
      .optional()
      .meta({ title: 'Retry-After', description: 'Value of the Retry-After header, in seconds.' }),
  }),
  example: { status: 503, retryAfterSeconds: 2 },
  summarize: ({ status, code }) => `responds with ${status}${code === undefined ? '' : ` ${code}`}`,
  respond: ({ status, code, message = 'simulated by a fault', retryAfterSeconds }) => ({
    status,
    code,
    message,
    retryAfterSeconds,
  }),
})
