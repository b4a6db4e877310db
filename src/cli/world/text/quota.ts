import type { z } from 'zod'
import type { quotaStateSchema } from '../../../control/quota.js'
import type { Paint } from '../../colour.js'
import { toPairs } from './columns.js'

type QuotaState = z.output<typeof quotaStateSchema>

/** The quota of a key. */
export function toQuotaText(quota: QuotaState, paint: Paint): string {
  return toPairs(toQuotaPairs(quota), paint)
}

/** The quota as lines of a name and a value. */
export function toQuotaPairs({ plan, minute, day, ban }: QuotaState): [string, string][] {
  return [
    ['Plan', plan],
    ['Minute', describeWindow(minute)],
    ['Day', describeWindow(day)],
    ['Ban', ban ? `until ${ban.until}` : 'none'],
  ]
}

function describeWindow({ limit, remaining, rejected, resetsAt }: QuotaState['minute']): string {
  return `${remaining} of ${limit} left, ${rejected} rejected, resets ${resetsAt}`
}
