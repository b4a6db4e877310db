import type { CommandGroup } from '../command-row.js'

const load = () => import('../actions/clock.js')

const freeze = ['--freeze', 'and stop it there'] as const

export const clockGroup: CommandGroup = {
  name: 'clock',
  description: 'Read, stop or move the clock, on which windows, bans and the sunset run.',
  rows: [
    {
      name: 'show',
      description: 'Show the time of the world, and what happens next.',
      examples: ['world clock show'],
      load: async () => (await load()).showClock,
    },
    {
      name: 'freeze',
      description: 'Stop the clock where it is.',
      examples: ['world clock freeze'],
      load: async () => (await load()).freezeClock,
    },
    {
      name: 'run',
      description: 'Let the clock run on from where it stands.',
      examples: ['world clock run'],
      load: async () => (await load()).runClock,
    },
    {
      name: 'set',
      description: 'Jump to a moment, forwards or back.',
      args: [['<moment>', 'ISO 8601 with its zone']],
      options: [freeze],
      examples: [
        'world clock set 2026-04-01T00:00:00Z',
        'world clock set 2026-04-01T00:00:00Z --freeze',
      ],
      load: async () => (await load()).setClock,
    },
    {
      name: 'advance',
      description: 'Jump on by a duration.',
      args: [['<duration>', 'ISO 8601 in W, D, H, M and S, or milliseconds']],
      options: [freeze],
      notes: 'A duration that begins with a minus goes back, and stands behind --.',
      examples: [
        'world clock advance PT90S',
        'world clock advance 1500 --freeze',
        'world clock advance -- -P1D',
      ],
      load: async () => (await load()).advanceClock,
    },
    {
      name: 'next',
      description: 'Jump to the next window reset, end of a ban or sunset.',
      options: [freeze],
      examples: ['world clock next', 'world clock next --freeze'],
      load: async () => (await load()).advanceToNextEvent,
    },
  ],
}
