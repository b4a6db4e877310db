import type { CommandGroup, CommandRow } from '../command-row.js'

const load = () => import('../actions/requests.js')

const explain = [
  '--explain',
  'below each call, why it was answered so and what it changed',
] as const

export const requestsGroup: CommandGroup = {
  name: 'requests',
  description: 'List or forget the calls that reached the world.',
  rows: [
    {
      name: 'list',
      description: 'List the calls, the newest first.',
      options: [
        explain,
        ['--operation <id>', 'only calls of this operation, such as getPet'],
        ['--status <status>', 'only answers with this status, such as 429'],
        ['--since <moment>', 'only calls from this moment of the world on, ISO 8601'],
        ['--unmatched', 'only calls of no operation'],
        ['--limit <count>', 'at most so many; without it, 100'],
      ],
      examples: [
        'world requests --limit 5 --explain',
        'world requests --operation updateInventory --status 400',
        'world requests list --unmatched --since 2026-01-01T09:00:00Z',
      ],
      load: async () => (await load()).showRequests,
    },
    {
      name: 'clear',
      description: 'Forget the calls; data, clock and quota stay as they are.',
      examples: ['world requests clear'],
      load: async () => (await load()).forgetRequests,
    },
  ],
}

export const eventsRow: CommandRow = {
  name: 'events',
  description: 'Follow the calls that reach the world as they are answered, until Ctrl+C.',
  options: [explain],
  notes: 'With --json, each call is one line of JSON.',
  examples: ['world events', 'world events --explain', 'world events --json'],
  load: async () => (await import('../actions/events.js')).followEvents,
}
