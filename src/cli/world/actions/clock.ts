import { changeClock, getClock } from '../../../control/clock.js'
import type { WorldAction } from '../runner.js'
import type { WorldSession } from '../session.js'
import { toClockText } from '../text/clock.js'

export const showClock: WorldAction = async ({ client, print }) => {
  print(await client.send(getClock), toClockText)
}

export const freezeClock: WorldAction = (session) => change(session, { frozen: true })

export const runClock: WorldAction = (session) => change(session, { frozen: false })

export const setClock: WorldAction = (session, command) =>
  change(session, { now: command.args[0], ...command.opts() })

export const advanceClock: WorldAction = (session, command) =>
  change(session, { advance: readDuration(command.args[0] ?? ''), ...command.opts() })

export const advanceToNextEvent: WorldAction = (session, command) =>
  change(session, { advanceTo: 'next-event', ...command.opts() })

/** A change of the clock, which the sandbox checks; `freeze` is the option. */
interface ClockChange {
  readonly now?: string | undefined
  readonly advance?: number | string
  readonly advanceTo?: 'next-event'
  readonly frozen?: boolean
  readonly freeze?: true
}

async function change({ client, print }: WorldSession, { freeze, ...wanted }: ClockChange) {
  const body = freeze ? { ...wanted, frozen: true } : wanted
  print(await client.send(changeClock, { body }), toClockText)
}

/** A number is milliseconds; any other text is for the sandbox to read. */
function readDuration(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
