import { z } from 'zod'
import { planIds } from '../contract/plans.js'
import { timestampSchema } from '../contract/schemas.js'
import { accountSchema } from '../world/quota/schema.js'
import type { RateLimitWindow } from '../world/quota/window.js'
import { type ControlRequest, defineControl } from './control-operation.js'
import { toTimestamp } from './timestamp.js'

const windowStateSchema = z.strictObject({
  limit: z.int().describe('Requests that the plan allows in it.'),
  used: z.int().describe('Requests that were charged in it.'),
  remaining: z.int().describe('Requests that are left in it.'),
  rejected: z.int().describe('Requests that this window rejected.'),
  resetsAt: timestampSchema.describe('For a window that is not open: if a request came now.'),
})

/** The quota of the key as the control API shows it. */
export const quotaStateSchema = z.strictObject({
  plan: z.enum(planIds).describe('The plan that the key is on.'),
  minute: windowStateSchema.describe('The minute window of the key.'),
  day: windowStateSchema.describe('The day window of the key.'),
  ban: z
    .strictObject({ until: timestampSchema.describe('When the ban ends, ISO 8601.') })
    .nullable()
    .describe('The ban of the key; null for none.'),
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
    world.quota.account(accountId).set(body)
    return toQuotaState(step)
  },
})

/** The quota as the control API shows it. */
export function toQuotaState({
  world,
  accountId,
}: Pick<ControlRequest, 'world' | 'accountId'>): z.output<typeof quotaStateSchema> {
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
