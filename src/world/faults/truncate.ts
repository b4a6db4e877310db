import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import { defineFault, toPercent } from './kind.js'

/** Closes the connection in the middle of the body. */
export const truncate = defineFault({
  title: 'Truncated body',
  description: 'Closes the connection in the middle of the body.',
  fields: {
    share: annotate(z._default(z.number().check(z.minimum(0), z.lt(1)), 0.5), {
      title: 'Share',
      description: 'Share of the bytes that are sent, from 0 to less than 1.',
    }),
    phase: annotate(z.optional(z.enum(['after'])), {
      title: 'Phase',
      description: 'A body is always truncated after the operation.',
    }),
  },
  example: { share: 0.5 },
  summarize: ({ share }) => `truncates the body after ${toPercent(share)}`,
  truncate: ({ share }, body) => body.subarray(0, Math.floor(body.length * share)),
})
