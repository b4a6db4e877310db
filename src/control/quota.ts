import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { planIds } from '../service/plans.js'
import { timestampSchema } from '../service/schemas.js'
import { toTimestamp } from '../service/timestamp.js'
import type { RateLimitWindow } from '../world/quota/account.js'
import { accountSchema } from '../world/quota/settings.js'
import { rulesSchema } from '../world/rules.js'
import { type ControlRequest, type ControlResource, defineControl } from './operation.js'

const windowStateSchema = z.strictObject({
  limit: annotate(z.int(), 'Requests that the plan allows in the window.'),
  used: annotate(z.int(), 'Requests charged in the window.'),
  remaining: annotate(z.int(), 'Requests left in the window.'),
  rejected: annotate(z.int(), 'Requests that the window rejected.'),
  resetsAt: annotate(
    timestampSchema,
    'Time at which the window ends. If no window is open: the end of a window that opens now.',
  ),
})

/** The quota of a key. */
export const quotaStateSchema = z.strictObject({
  plan: annotate(z.enum(planIds), 'Plan of the key.'),
  minute: annotate(windowStateSchema, 'Minute window of the key.'),
  day: annotate(windowStateSchema, 'Day window of the key.'),
  ban: annotate(
    z.nullable(z.strictObject({ until: annotate(timestampSchema, 'End of the ban, ISO 8601.') })),
    'Ban of the key; null for none.',
  ),
  banRule: rulesSchema.shape.ban,
})

/** Both operations respond with the quota. */
const quotaBody = { name: 'Quota', schema: quotaStateSchema }

export const quota = {
  title: 'Quota',
  description: 'The requests that the key has used, and its ban.',
  operations: {
    getQuota: defineControl({
      method: 'GET',
      path: '/quota',
      summary: 'Read both windows and the ban of this key',
      description:
        'Returns the minute window, the day window and the ban of this key. Reading does not open a window.',
      response: { description: 'The quota of the key.', body: quotaBody },
      run: toQuotaState,
    }),
    changeQuota: defineControl({
      method: 'PATCH',
      path: '/quota',
      summary: 'Set the used or remaining requests of this key, or its ban',
      description:
        'Sets the used or remaining requests of the key, so that the next request can reach a limit. Omitted fields stay unchanged. A window takes either `used` or `remaining`; a ban either `until` or `seconds`, or null to lift it.',
      request: {
        name: 'QuotaSettings',
        schema: accountSchema,
        example: { minute: { remaining: 1 }, ban: null },
      },
      response: { description: 'The quota of the key after the change.', body: quotaBody },
      errorMessages: {
        invalid_field: 'minute.used must be a number of at least 0, found -1 (number)',
      },
      run(request) {
        const { world, accountId, body } = request
        world.quota.account(accountId).set(body)
        return toQuotaState(request)
      },
    }),
  },
} satisfies ControlResource

/** Returns the quota of an account. */
export function toQuotaState(request: ControlRequest): z.output<typeof quotaStateSchema> {
  const { world, accountId } = request
  const account = world.peekAccount(accountId)
  const now = world.clock.now()
  const until = account.bannedUntilMs(now)
  return {
    plan: account.plan,
    minute: toWindowState(account.minute, now),
    day: toWindowState(account.day, now),
    ban: until === undefined ? null : { until: toTimestamp(until) },
    banRule: account.banRule,
  }
}

function toWindowState(window: RateLimitWindow, nowMs: number): z.output<typeof windowStateSchema> {
  const { resetsAtMs, ...counts } = window.peek(nowMs)
  return { limit: window.limit, ...counts, resetsAt: toTimestamp(resetsAtMs) }
}
