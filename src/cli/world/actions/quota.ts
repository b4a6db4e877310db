import { z } from 'zod'
import { changeQuota, getQuota } from '../../../control/quota.js'
import { CliError } from '../../cli-error.js'
import { toCommandLine } from '../../command-line.js'
import { readOptions } from '../../read-options.js'
import type { WorldAction } from '../runner.js'
import type { WorldSession } from '../session.js'
import { toQuotaText } from '../text/quota.js'

const count = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'a whole number from 0', abort: true })
  .transform(Number)
  .optional()
const moment = z.string().optional()

const quotaOptions = z.strictObject({
  minuteRemaining: count,
  minuteUsed: count,
  minuteRejected: count,
  minuteResetsAt: moment,
  dayRemaining: count,
  dayUsed: count,
  dayRejected: count,
  dayResetsAt: moment,
})

const banOptions = z.strictObject({ seconds: count, until: moment })

export const showQuota: WorldAction = async ({ client, print }) => {
  print(await client.send(getQuota), toQuotaText)
}

export const leaveOneRequest: WorldAction = (session) =>
  change(session, { minute: { remaining: 1 } })

export const spendDay: WorldAction = (session) => change(session, { day: { remaining: 0 } })

export const setQuota: WorldAction = (session, command) => {
  const options = readOptions(command, quotaOptions)
  if (Object.keys(options).length === 0) {
    const help = `see ${toCommandLine(command)} --help`
    throw new CliError(`quota set must get what to set, found no option; ${help}`)
  }
  return change(session, {
    minute: {
      remaining: options.minuteRemaining,
      used: options.minuteUsed,
      rejected: options.minuteRejected,
      resetsAt: options.minuteResetsAt,
    },
    day: {
      remaining: options.dayRemaining,
      used: options.dayUsed,
      rejected: options.dayRejected,
      resetsAt: options.dayResetsAt,
    },
  })
}

export const ban: WorldAction = (session, command) => {
  const { seconds, until } = readOptions(command, banOptions)
  const isOpen = seconds === undefined && until === undefined
  return change(session, { ban: { seconds: isOpen ? 300 : seconds, until } })
}

export const liftBan: WorldAction = (session) => change(session, { ban: null })

async function change({ client, print }: WorldSession, body: object): Promise<void> {
  print(await client.send(changeQuota, { body }), toQuotaText)
}
