import * as z from 'zod/mini'
import type { ControlResult } from '../../control/operations.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { describeBanRisk } from '../../world/quota/ban-risk.js'
import { toCommandLine } from '../options.js'
import { readOptions } from '../read-options.js'
import type { Paint } from '../terminal.js'
import { toPairs } from './columns.js'
import type { WorldCommand, WorldGroup } from './command.js'
import type { WorldSession } from './session.js'

type QuotaState = ControlResult<'changeQuota'>

const defaultBanSeconds = 300

const set: WorldCommand = {
  name: 'set',
  operation: 'changeQuota',
  description: 'Sets the used or remaining requests of the key. Other values stay unchanged.',
  options: [
    ['--minute-remaining <count>', 'Requests left in the minute window.'],
    ['--minute-used <count>', 'Requests charged in the minute window.'],
    ['--minute-rejected <count>', 'Requests that the minute window rejected. Several cause a ban.'],
    ['--minute-resets-at <time>', 'End of the minute window, ISO 8601.'],
    ['--day-remaining <count>', 'Requests left in the day window.'],
    ['--day-used <count>', 'Requests charged in the day window.'],
    ['--day-rejected <count>', 'Requests that the day window rejected.'],
    ['--day-resets-at <time>', 'End of the day window, ISO 8601.'],
  ],
  examples: [
    '--minute-remaining 1',
    '--minute-used 0 --day-used 990',
    '--minute-remaining 0 --minute-rejected 9',
  ],
  run(session, command) {
    const options = readOptions(command, quotaOptions)
    if (Object.keys(options).length === 0) {
      const help = `see ${toCommandLine(command)} --help`
      throw new UsageError(`quota set requires at least one option, found none; ${help}`)
    }
    const { minuteRemaining, minuteUsed, minuteRejected, minuteResetsAt } = options
    const { dayRemaining, dayUsed, dayRejected, dayResetsAt } = options
    return change(session, {
      minute: {
        remaining: minuteRemaining,
        used: minuteUsed,
        rejected: minuteRejected,
        resetsAt: minuteResetsAt,
      },
      day: { remaining: dayRemaining, used: dayUsed, rejected: dayRejected, resetsAt: dayResetsAt },
    })
  },
}

const ban: WorldCommand = {
  name: 'ban',
  operation: 'changeQuota',
  description: `Bans the key, by default for ${defaultBanSeconds} seconds.`,
  options: [
    ['--seconds <count>', 'Duration of the ban in seconds.'],
    ['--until <time>', 'End of the ban, ISO 8601.'],
  ],
  examples: ['', '--seconds 30'],
  run(session, command) {
    const { seconds, until } = readOptions(command, banOptions)
    const hasNoEnd = seconds === undefined && until === undefined
    return change(session, { ban: { seconds: hasNoEnd ? defaultBanSeconds : seconds, until } })
  },
}

export const quota: WorldGroup = {
  name: 'quota',
  description: 'Shows or sets the quota of the key, bans it or lifts its ban.',
  commands: [
    {
      name: 'show',
      operation: 'getQuota',
      description: 'Shows both windows and the ban of the key.',
      examples: [''],
      async run({ client, print }) {
        print(await client.send('getQuota'), toQuotaText)
      },
    },
    {
      name: 'one-left',
      operation: 'changeQuota',
      description: 'Leaves one request in the minute window. The second request is rejected.',
      examples: [''],
      run: (session) => change(session, { minute: { remaining: 1 } }),
    },
    {
      name: 'day-spent',
      operation: 'changeQuota',
      description: 'Uses up the day window. Requests are rejected until the window resets.',
      examples: [''],
      run: (session) => change(session, { day: { remaining: 0 } }),
    },
    set,
    ban,
    {
      name: 'lift',
      operation: 'changeQuota',
      description: 'Lifts the ban of the key.',
      examples: [''],
      run: (session) => change(session, { ban: null }),
    },
  ],
}

const count = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}$/, { error: 'an integer from 0', abort: true })),
    z.transform(Number),
  ),
)
const time = z.optional(z.string())

const quotaOptions = z.strictObject({
  minuteRemaining: count,
  minuteUsed: count,
  minuteRejected: count,
  minuteResetsAt: time,
  dayRemaining: count,
  dayUsed: count,
  dayRejected: count,
  dayResetsAt: time,
})

const banOptions = z.strictObject({ seconds: count, until: time })

async function change({ client, print }: WorldSession, body: object): Promise<void> {
  print(await client.send('changeQuota', { body }), toQuotaText)
}

function toQuotaText(state: QuotaState, paint: Paint): string {
  return toPairs(toQuotaPairs(state), paint)
}

/** Formats the quota as pairs of a name and a value. */
export function toQuotaPairs(state: QuotaState): [string, string][] {
  const { plan, minute, day, ban } = state
  const risk = describeBanRisk(state)
  return [
    ['Plan', plan],
    ['Minute', describeWindow(minute)],
    ['Day', describeWindow(day)],
    ['Ban', ban ? `until ${ban.until}` : ['none', ...(risk ? [risk] : [])].join('; ')],
  ]
}

function describeWindow({ limit, remaining, rejected, resetsAt }: QuotaState['minute']): string {
  return `${remaining} of ${limit} left, ${rejected} rejected, resets ${resetsAt}`
}
