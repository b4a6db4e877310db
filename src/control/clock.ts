import { z } from 'zod'
import { Problem } from '../contract/errors.js'
import { timestampSchema } from '../contract/schemas.js'
import { isoDurationSchema } from '../world/duration.js'
import { type ControlRequest, defineControl } from './control-operation.js'
import { toTimestamp } from './timestamp.js'

/** The clock of a world as the control API shows it. */
export const clockStateSchema = z.strictObject({
  now: timestampSchema.describe('The time of the world, ISO 8601.'),
  frozen: z.boolean().describe('Whether time stands still until it is moved.'),
  nextEvent: z
    .strictObject({
      event: z.string().describe('What happens, such as "minute window resets" or "sunset".'),
      at: timestampSchema.describe('When, ISO 8601.'),
    })
    .nullable()
    .describe('The next moment at which time alone changes an answer to this key.'),
})

/** A change of the clock: at most one jump, and whether time runs from there. */
export const clockChangeSchema = z
  .strictObject({
    now: timestampSchema.optional().describe('Jumps to this moment, from the year 1000 to 8999.'),
    advance: z
      .union([z.number().min(-maximumMs()).max(maximumMs()), isoDurationSchema], {
        error: 'milliseconds, or an ISO 8601 duration such as "PT90S"',
      })
      .optional()
      .describe('Jumps on by milliseconds or an ISO 8601 duration.'),
    advanceTo: z
      .literal('next-event')
      .optional()
      .describe('Jumps to the next window reset, end of a ban or sunset.'),
    frozen: z.boolean().optional().describe('Stops the clock, or lets it run on.'),
  })
  .refine(({ now, advance, advanceTo }) => [now, advance, advanceTo].filter(isGiven).length <= 1, {
    error: 'only one of now, advance and advanceTo',
  })

export const getClock = defineControl({
  method: 'GET',
  path: '/clock',
  resource: 'Clock',
  summary: 'Read the clock',
  response: clockStateSchema,
  run: toClockState,
})

export const changeClock = defineControl({
  method: 'PATCH',
  path: '/clock',
  resource: 'Clock',
  summary: 'Set, advance, freeze or run the clock',
  body: clockChangeSchema,
  response: clockStateSchema,
  run(step) {
    const { world, accountId, body } = step
    try {
      if (body.now !== undefined) world.clock.set(body.now)
      if (body.advance !== undefined) world.clock.advance(body.advance)
      if (body.advanceTo !== undefined) world.advanceToNextEvent(accountId)
    } catch (error) {
      if (error instanceof RangeError) throw new Problem('invalid_field', error.message)
      throw error
    }
    if (body.frozen === true) world.clock.freeze()
    if (body.frozen === false) world.clock.run()
    return toClockState(step)
  },
})

/** The clock as the control API shows it. */
export function toClockState({
  world,
  accountId,
}: Pick<ControlRequest, 'world' | 'accountId'>): z.output<typeof clockStateSchema> {
  const next = world.nextEvent(accountId)
  return {
    now: toTimestamp(world.clock.now()),
    frozen: world.clock.isFrozen,
    nextEvent: next ? { event: next.event, at: toTimestamp(next.atMs) } : null,
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined
}

/** A thousand years: a jump past it is a slip of the unit. */
function maximumMs(): number {
  return 1_000 * 365 * 86_400_000
}
