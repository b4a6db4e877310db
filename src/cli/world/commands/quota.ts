import type { CommandGroup } from '../command-row.js'

const load = () => import('../actions/quota.js')

export const quotaGroup: CommandGroup = {
  name: 'quota',
  description: 'Read or set what the key has used, ban it, or lift its ban.',
  rows: [
    {
      name: 'show',
      description: 'Show both windows and the ban of the key.',
      examples: ['world quota show'],
      load: async () => (await load()).showQuota,
    },
    {
      name: 'one-left',
      description: 'Leave one request in the minute window: the second one from now is rejected.',
      examples: ['world quota one-left'],
      load: async () => (await load()).leaveOneRequest,
    },
    {
      name: 'day-spent',
      description: 'Spend the day window: the next request is rejected until the day is over.',
      examples: ['world quota day-spent'],
      load: async () => (await load()).spendDay,
    },
    {
      name: 'set',
      description: 'Set what the key has used or has left; what is not given stays.',
      options: [
        ['--minute-remaining <count>', 'requests that are left in the minute window'],
        ['--minute-used <count>', 'or that were charged in it'],
        ['--minute-rejected <count>', 'requests that it rejected; enough of them bring a ban'],
        ['--minute-resets-at <moment>', 'when it ends, ISO 8601'],
        ['--day-remaining <count>', 'requests that are left in the day window'],
        ['--day-used <count>', 'or that were charged in it'],
        ['--day-rejected <count>', 'requests that it rejected'],
        ['--day-resets-at <moment>', 'when it ends, ISO 8601'],
      ],
      examples: [
        'world quota set --minute-remaining 1',
        'world quota set --minute-used 0 --day-used 990',
        'world quota set --minute-remaining 0 --minute-rejected 9',
      ],
      load: async () => (await load()).setQuota,
    },
    {
      name: 'ban',
      description: 'Ban the key, for 300 seconds unless it is said how long.',
      options: [
        ['--seconds <count>', 'how long'],
        ['--until <moment>', 'or until when, ISO 8601'],
      ],
      examples: ['world quota ban', 'world quota ban --seconds 30'],
      load: async () => (await load()).ban,
    },
    {
      name: 'lift',
      description: 'Lift the ban of the key.',
      examples: ['world quota lift'],
      load: async () => (await load()).liftBan,
    },
  ],
}
