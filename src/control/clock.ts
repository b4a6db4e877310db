import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { Problem } from '../service/errors.js'
import { timestampSchema } from '../service/schemas.js'
import { toTimestamp } from '../service/timestamp.js'
import { isoDurationSchema, toMilliseconds } from '../world/clock.js'
import { type ControlRequest, type ControlResource, defineControl } from './operation.js'

/** A thousand years. A larger value is probably in another unit than milliseconds. */
const maximumMs = 1_000 * 365 * 86_400_000

/** The clock of a world. */
export const clockStateSchema = z.strictObject({
  now: annotate(timestampSchema, 'Time of the world, ISO 8601.'),
  frozen: annotate(z.boolean(), 'Whether the clock is stopped.'),
  nextEvent: annotate(
    z.nullable(
      z.strictObject({
        event: annotate(z.string(), 'The event, such as "minute window resets" or "sunset".'),
        at: annotate(timestampSchema, 'Time of the event, ISO 8601.'),
      }),
    ),
    'The next time-based event that changes responses to this key; null for none.',
  ),
})

const durationSchema = z.union(
  [z.number().check(z.minimum(-maximumMs), z.maximum(maximumMs)), isoDurationSchema],
  { error: 'milliseconds, or an ISO 8601 duration such as "PT90S"' },
)

/** A change of the clock: at most one jump, and whether the clock runs afterwards. */
const clockChangeSchema = z
  .strictObject({
    now: annotate(
      z.optional(timestampSchema),
      'Sets the clock to this time, from the year 1000 to 8999.',
    ),
    advance: annotate(
      z.optional(durationSchema),
      'Advances the clock by milliseconds or an ISO 8601 duration.',
    ),
    advanceTo: annotate(
      z.optional(z.literal('next-event')),
      'Advances the clock to the next window reset, end of a ban or sunset.',
    ),
    frozen: annotate(z.optional(z.boolean()), 'Stops the clock, or lets it run.'),
  })
  .check(
    z.refine(
      ({ now, advance, advanceTo }) =>
        [now, advance, advanceTo].filter((jump) => jump !== undefined).length <= 1,
      { error: 'an object with at most one of now, advance and advanceTo' },
    ),
  )

/** Both operations respond with the clock. */
const clockBody = { name: 'Clock', schema: clockStateSchema }

export const clock = {
  title: 'Clock',
  description: 'The time of the world. Windows, bans and the sunset depend on it.',
  operations: {
    getClock: defineControl({
      method: 'GET',
      path: '/clock',
      summary: 'Read the clock',
      description:
        'Returns the time of the world and the next time-based event that changes responses.',
      response: { description: 'The clock.', body: clockBody },
      run: toClockState,
    }),
    changeClock: defineControl({
      method: 'PATCH',
      path: '/clock',
      summary: 'Set, advance, freeze or run the clock',
      description:
        'Sets the clock, advances it by a duration or to the next event, and stops it or lets it run. At most one of `now`, `advance` and `advanceTo`. The change affects windows, `Retry-After`, bans, the sunset, timestamps and the `Date` header.',
      request: {
        name: 'ClockChange',
        schema: clockChangeSchema,
        example: { advance: 'PT90S', frozen: true },
      },
      response: { description: 'The clock after the change.', body: clockBody },
      errorMessages: { invalid_field: 'frozen must be true or false, found "yes" (string)' },
      run(request) {
        const { clock } = request.world
        const { frozen } = request.body
        try {
          const targetMs = toTarget(request.body, request)
          // One call, so that no time passes between the jump and the stop.
          if (frozen) clock.freeze(targetMs)
          else if (targetMs !== undefined) clock.set(targetMs)
        } catch (error) {
          if (error instanceof RangeError) throw new Problem('invalid_field', error.message)
          throw error
        }
        if (frozen === false) clock.run()
        return toClockState(request)
      },
    }),
  },
} satisfies ControlResource

/** Returns the clock of a world, with the next event of an account. */
export function toClockState(request: ControlRequest): z.output<typeof clockStateSchema> {
  const { world, accountId } = request
  const next = world.nextEvent(accountId)
  return {
    now: toTimestamp(world.clock.now()),
    frozen: world.clock.isFrozen,
    nextEvent: next ? { event: next.event, at: toTimestamp(next.atMs) } : null,
  }
}

/** Returns the time to jump to, in milliseconds since the epoch; undefined for no jump. */
function toTarget(
  { now, advance, advanceTo }: z.output<typeof clockChangeSchema>,
  { world, accountId }: ControlRequest,
): number | undefined {
  if (now !== undefined) return Date.parse(now)
  if (advance !== undefined) return world.clock.now() + toMilliseconds(advance)
  return advanceTo && world.nextEvent(accountId)?.atMs
}
