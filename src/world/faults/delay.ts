import { z } from 'zod'
import { defineFault } from './kind.js'

/** Delays the response. */
export const delay = defineFault({
  title: 'Delay',
  description: 'Delays the response.',
  fields: () => ({
    delayMs: z
      .int()
      .min(0)
      .max(60_000)
      .meta({ title: 'Milliseconds', description: 'Delay in milliseconds.' }),
  }),
  example: { delayMs: 500 },
  summarize: ({ delayMs }) => `waits ${delayMs} ms`,
  delayMs: ({ delayMs }) => delayMs,
})
