import { z } from 'zod'
import { defineFault, toPercent } from './kind.js'

/** Closes the connection in the middle of the body. */
export const truncate = defineFault({
  title: 'Truncated body',
  description: 'Closes the connection in the middle of the body.',
  fields: () => ({
    share: z.number().min(0).lt(1).default(0.5).meta({
      title: 'Share of the body',
      description: 'Share of the bytes that are sent, from 0 to less than 1.',
    }),
    phase: z.enum(['after']).optional().meta({
      title: 'Phase',
      description: 'A body is always truncated after the operation.',
    }),
  }),
  example: { share: 0.5 },
  summarize: ({ share }) => `truncates the body after ${toPercent(share)}`,
  truncate: ({ share }, body) => body.subarray(0, Math.floor(body.length * share)),
})
