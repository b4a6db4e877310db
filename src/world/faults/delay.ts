import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import { longestDelaySeconds } from '../../service/preferences.js'
import { defineFault, describePhase, phaseSchema } from './kind.js'

/** Maximum delay in milliseconds. */
const maximumMs = longestDelaySeconds * 1_000

/** The 95th percentile of the standard normal distribution. */
const normalP95 = 1.6449

const ms = z.int().check(z.minimum(0), z.maximum(maximumMs))

const delaySchema = z.union([
  ms,
  z.strictObject({ min: annotate(ms, 'Minimum.'), max: annotate(ms, 'Maximum.') }).check(
    z.refine(({ min, max }) => min <= max, {
      error: 'an object whose min is at most its max',
    }),
  ),
  z
    .strictObject({
      median: annotate(ms.check(z.minimum(1)), 'Half of the delays are shorter.'),
      p95: annotate(ms, '95 % of the delays are shorter.'),
    })
    .check(
      z.refine(({ median, p95 }) => median <= p95, {
        error: 'an object whose median is at most its p95',
      }),
    ),
])
type Delay = z.output<typeof delaySchema>

/** Delays the response. */
export const delay = defineFault({
  title: 'Delay',
  description: 'Delays the response.',
  fields: {
    delayMs: annotate(delaySchema, {
      title: 'Milliseconds',
      description:
        'Delay in milliseconds; {"min":100,"max":400} draws each delay evenly, and {"median":150,"p95":900} from a log-normal distribution, at most 60000.',
    }),
    phase: phaseSchema,
    clock: annotate(z.optional(z.enum(['real', 'world'])), {
      title: 'Clock',
      description:
        'real (default), or world: the delay ends when the clock of the world has passed it, also by being moved. A frozen clock must be moved.',
    }),
  },
  example: { delayMs: 500 },
  summarize: ({ delayMs, phase, clock }, drawnMs) => {
    const length = drawnMs === undefined ? describeDelay(delayMs) : `${drawnMs} ms`
    return `waits ${length}${clock === 'world' ? ' of world time' : ''}${describePhase(phase)}`
  },
  delayMs: ({ delayMs }, next) => drawDelay(delayMs, next),
})

function drawDelay(delay: Delay, next: () => number): number {
  if (typeof delay === 'number') return delay
  if ('min' in delay) return delay.min + Math.floor(next() * (delay.max - delay.min + 1))
  const { median, p95 } = delay
  // Box-Muller transform: a standard normal variate from two uniform ones.
  const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return Math.min(maximumMs, Math.round(median * (p95 / median) ** (normal / normalP95)))
}

function describeDelay(delay: Delay): string {
  if (typeof delay === 'number') return `${delay} ms`
  return 'min' in delay
    ? `${delay.min} to ${delay.max} ms`
    : `${delay.median} ms (median; p95 ${delay.p95} ms)`
}
