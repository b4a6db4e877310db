import { type Client, inParallel } from '../client.js'
import { defineTrial, type TrialContext } from '../trial.js'

/** Requests in flight at the same time. */
const inFlight = 500

/** A window that is exhausted, and the number of requests that must pass. */
interface Case {
  readonly plan: string
  readonly requests: number
  readonly passes: number
  /** Settings of the quota before the requests. */
  readonly quota?: unknown
  /** Limits of the plan. Default: those of the plan. */
  readonly limits?: { readonly requestsPerMinute: number; readonly requestsPerDay: number }
}

const cases: readonly Case[] = [
  { plan: 'free', requests: 500, passes: 60 },
  { plan: 'pro', requests: 500, passes: 300 },
  { plan: 'business', requests: 1_500, passes: 1_000 },
  {
    plan: 'enterprise',
    requests: 500,
    passes: 250,
    limits: { requestsPerMinute: 250, requestsPerDay: 10_000 },
  },
  { plan: 'free', requests: 500, passes: 40, quota: { day: { remaining: 40 } } },
  { plan: 'pro', requests: 500, passes: 222, quota: { day: { remaining: 222 } } },
  { plan: 'business', requests: 1_000, passes: 501, quota: { day: { remaining: 501 } } },
  {
    plan: 'enterprise',
    requests: 500,
    passes: 123,
    limits: { requestsPerMinute: 400, requestsPerDay: 123 },
  },
]

export const planLimits = defineTrial({
  name: 'plan-limits',
  title:
    '500 requests in flight around the minute limit and the day limit of each plan. Exactly the limit must pass.',
  unit: 'rounds',
  attempts: { small: cases.length, full: cases.length * 20 },
  isComplete: true,
  leavesWorlds: true,
  async run(context) {
    // Five addresses, because each request in flight has its own connection.
    const clients = [1, 2, 3, 4, 5].map((last) => context.client(`127.0.4.${last}`))
    for (let round = 0; round < context.attempts && !context.ending.aborted; round++) {
      const found = cases[round % cases.length]
      if (found) await check(context, clients, found, round)
      context.count()
    }
  },
})

async function check(
  context: TrialContext,
  clients: readonly Client[],
  { plan, requests, passes, quota, limits }: Case,
  round: number,
): Promise<void> {
  const apiKey = `sbx_${plan}_default_limit-${round}`
  // A client does not evict its worlds that others used recently, so each owns a fifth of them.
  const owner = clients[round % clients.length]
  const clock = { now: '2026-02-01T12:00:00Z', frozen: true }
  const scenario = {
    name: 'a',
    extends: 'default',
    clock,
    ...(limits && { plans: { [plan]: limits } }),
  }
  const put = { method: 'PUT', path: '/sandbox/scenario', apiKey, body: scenario }
  await owner?.expect(put)
  if (quota) await owner?.expect({ method: 'PATCH', path: '/sandbox/quota', apiKey, body: quota })
  const counts = new Map<number, number>()
  await inParallel(requests, inFlight, context.signal, async (index) => {
    const client = clients[index % clients.length]
    const { status = 0 } = (await client?.send({ path: '/v1/inventory', apiKey })) ?? {}
    counts.set(status, (counts.get(status) ?? 0) + 1)
  })
  if (context.signal.aborted) return
  // The world was used by several clients and is retained, but not what its journal occupies.
  await owner?.expect({ method: 'DELETE', path: '/sandbox/requests', apiKey })
  const rejected = requests - passes
  if (counts.get(200) === passes && counts.get(429) === rejected) return
  const found = Array.from(counts, ([status, count]) => `${count} × ${status}`).join(', ')
  context.violation(`${plan}: ${passes} must pass and ${rejected} be rejected, found ${found}`)
}
