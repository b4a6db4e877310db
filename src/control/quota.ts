import { z } from 'zod'
import { planIds } from '../contract/plans.js'
import { timestampSchema } from '../contract/schemas.js'
import { accountSchema, type RateLimitWindow } from '../world/quota.js'
import { type ControlStep, defineControl } from './control-operation.js'
import { toTimestamp } from './timestamp.js'

const windowStateSchema = z.strictObject({
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  rejected: z.int().describe('Requests that this window rejected.'),
  resetsAt: timestampSchema.describe('For a window that is not open: if a request came now.'),
})

/** The quota of the key as the control API shows it. */
export const quotaStateSchema = z.strictObject({
  plan: z.enum(planIds),
  minute: windowStateSchema,
  day: windowStateSchema,
  ban: z.strictObject({ until: timestampSchema }).nullable(),
})

export const getQuota = defineControl({
  method: 'GET',
  path: '/quota',
  resource: 'Quota',
  summary: 'Read both windows and the ban of this key',
  response: quotaStateSchema,
  run: toQuotaState,
})

export const changeQuota = defineControl({
  method: 'PATCH',
  path: '/quota',
  resource: 'Quota',
  summary: 'Set what this key has used or has left; ban it or lift the ban',
  body: accountSchema,
  response: quotaStateSchema,
  run(step) {
    const { world, accountId, body } = step
    world.quota.account(accountId).set(body, world.clock.now())
    return toQuotaState(step)
  },
})

/** The quota as the control API shows it. */
export function toQuotaState({
  world,
  accountId,
}: Pick<ControlStep, 'world' | 'accountId'>): z.output<typeof quotaStateSchema> {
  const account = world.peekAccount(accountId)
  const now = world.clock.now()
  const until = account.bannedUntilMs(now)
  return {
    plan: account.plan,
    minute: toWindowState(account.minute, now),
    day: toWindowState(account.day, now),
    ban: until === undefined ? null : { until: toTimestamp(until) },
  }
}

function toWindowState(window: RateLimitWindow, nowMs: number): z.output<typeof windowStateSchema> {
  const { resetsAtMs, ...counts } = window.peek(nowMs)
  return { limit: window.limit, ...counts, resetsAt: toTimestamp(resetsAtMs) }
}
