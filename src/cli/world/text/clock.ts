import type { z } from 'zod'
import type { clockStateSchema } from '../../../control/clock.js'
import type { Paint } from '../../colour.js'
import { toPairs } from './columns.js'

type ClockState = z.output<typeof clockStateSchema>

/** The clock of a world. */
export function toClockText(clock: ClockState, paint: Paint): string {
  return toPairs(toClockPairs(clock), paint)
}

/** The clock as lines of a name and a value. */
export function toClockPairs({ now, frozen, nextEvent }: ClockState): [string, string][] {
  return [
    ['Clock', `${now}, ${frozen ? 'frozen' : 'running'}`],
    ['Next', nextEvent ? `${nextEvent.event} at ${nextEvent.at}` : 'nothing'],
  ]
}
