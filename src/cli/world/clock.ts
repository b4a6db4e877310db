import type { ControlBody, ControlResult } from '../../control/operations.js'
import type { Paint } from '../terminal.js'
import { toPairs } from './columns.js'
import { defineCommand, type WorldCommand, type WorldGroup } from './command.js'

const freeze = ['--freeze', 'Stops the clock at this time.'] as const

export const clock: WorldGroup = {
  name: 'clock',
  description: 'Shows, stops or sets the clock, which windows, bans and the sunset depend on.',
  commands: [
    defineCommand({
      name: 'show',
      operation: 'getClock',
      description: 'Shows the time of the world and the next event.',
      examples: [''],
      toText: toClockText,
    }),
    defineChange(() => ({ frozen: true }), {
      name: 'freeze',
      description: 'Stops the clock.',
      examples: [''],
    }),
    defineChange(() => ({ frozen: false }), {
      name: 'run',
      description: 'Lets the clock run.',
      examples: [''],
    }),
    defineChange((now) => ({ now }), {
      name: 'set',
      description: 'Sets the clock to a time, forwards or backwards.',
      arguments: [['<time>', 'ISO 8601 with a time zone.']],
      options: [freeze],
      examples: ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00Z --freeze'],
    }),
    defineChange((advance) => ({ advance: readDuration(advance) }), {
      name: 'advance',
      description: 'Advances the clock by a duration.',
      arguments: [['<duration>', 'ISO 8601 in W, D, H, M and S, or milliseconds.']],
      options: [freeze],
      notes: 'A negative duration moves the clock backwards. Put -- before it.',
      examples: ['PT90S', '1500 --freeze', '-- -P1D'],
    }),
    defineChange(() => ({ advanceTo: 'next-event' }), {
      name: 'next',
      description: 'Advances the clock to the next window reset, end of a ban or sunset.',
      options: [freeze],
      examples: ['', '--freeze'],
    }),
  ],
}

/** Defines a command that changes the clock. The sandbox validates the change. */
function defineChange(
  toChange: (argument: string) => ControlBody<'changeClock'>,
  command: Omit<WorldCommand, 'operation' | 'run'>,
): WorldCommand {
  return defineCommand({
    ...command,
    operation: 'changeClock',
    toInput(command) {
      const { freeze: isFrozen }: { freeze?: true } = command.opts()
      return { body: { ...toChange(command.args[0] ?? ''), ...(isFrozen && { frozen: true }) } }
    },
    toText: toClockText,
  })
}

/** A number is in milliseconds; the sandbox reads any other string as a duration. */
function readDuration(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

function toClockText(state: ControlResult<'getClock'>, paint: Paint): string {
  return toPairs(toClockPairs(state), paint)
}

/** Formats the clock as pairs of a name and a value. */
export function toClockPairs({
  now,
  frozen,
  nextEvent,
}: ControlResult<'getClock'>): [string, string][] {
  return [
    ['Clock', `${now}, ${frozen ? 'frozen' : 'running'}`],
    ['Next', nextEvent ? `${nextEvent.event} at ${nextEvent.at}` : 'nothing'],
  ]
}
