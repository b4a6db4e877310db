import type { ControlResult } from '../../control/operations.js'
import type { Paint } from '../terminal.js'
import { toPairs } from './columns.js'
import type { WorldGroup } from './command.js'
import type { WorldSession } from './session.js'

type ClockState = ControlResult<'changeClock'>

const freeze = ['--freeze', 'Stops the clock at this time.'] as const

export const clock: WorldGroup = {
  name: 'clock',
  description: 'Shows, stops or sets the clock, which windows, bans and the sunset depend on.',
  commands: [
    {
      name: 'show',
      operation: 'getClock',
      description: 'Shows the time of the world and the next event.',
      examples: [''],
      async run({ client, print }) {
        print(await client.send('getClock'), toClockText)
      },
    },
    {
      name: 'freeze',
      operation: 'changeClock',
      description: 'Stops the clock.',
      examples: [''],
      run: (session) => change(session, { frozen: true }),
    },
    {
      name: 'run',
      operation: 'changeClock',
      description: 'Lets the clock run.',
      examples: [''],
      run: (session) => change(session, { frozen: false }),
    },
    {
      name: 'set',
      operation: 'changeClock',
      description: 'Sets the clock to a time, forwards or backwards.',
      arguments: [['<time>', 'ISO 8601 with a time zone.']],
      options: [freeze],
      examples: ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z --freeze'],
      run: (session, command) => change(session, { now: command.args[0], ...command.opts() }),
    },
    {
      name: 'advance',
      operation: 'changeClock',
      description: 'Advances the clock by a duration.',
      arguments: [['<duration>', 'ISO 8601 in W, D, H, M and S, or milliseconds.']],
      options: [freeze],
      notes: 'A negative duration moves the clock backwards. Put -- before it.',
      examples: ['PT90S', '1500 --freeze', '-- -P1D'],
      run: (session, command) =>
        change(session, { advance: readDuration(command.args[0] ?? ''), ...command.opts() }),
    },
    {
      name: 'next',
      operation: 'changeClock',
      description: 'Advances the clock to the next window reset, end of a ban or sunset.',
      options: [freeze],
      examples: ['', '--freeze'],
      run: (session, command) => change(session, { advanceTo: 'next-event', ...command.opts() }),
    },
  ],
}

/** A change of the clock, which the sandbox validates. `freeze` is the option. */
interface ClockChange {
  readonly now?: string | undefined
  readonly advance?: number | string
  readonly advanceTo?: 'next-event'
  readonly frozen?: boolean
  readonly freeze?: true
}

async function change({ client, print }: WorldSession, { freeze, ...wanted }: ClockChange) {
  const body = freeze ? { ...wanted, frozen: true } : wanted
  print(await client.send('changeClock', { body }), toClockText)
}

/** A number is in milliseconds; the sandbox reads any other string as a duration. */
function readDuration(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

function toClockText(state: ClockState, paint: Paint): string {
  return toPairs(toClockPairs(state), paint)
}

/** Formats the clock as pairs of a name and a value. */
export function toClockPairs({ now, frozen, nextEvent }: ClockState): [string, string][] {
  return [
    ['Clock', `${now}, ${frozen ? 'frozen' : 'running'}`],
    ['Next', nextEvent ? `${nextEvent.event} at ${nextEvent.at}` : 'nothing'],
  ]
}
