import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { hadResponse, isRetryable, toName } from '../requests.js'
import { defineRule } from '../rule.js'

/** Time within which requests fail together. */
const togetherMs = 1_000
/** Time within which retries coincide. */
const coincidenceMs = 20
/** Number of requests whose retries must not coincide. */
const severalRequests = 3
/** Number of earlier retries with which each retry is compared, in the order of the responses. */
const rememberedArrivals = 8

/** Requests that failed together, and their retries. */
interface Group {
  readonly startMs: number
  /** The different requests that were retried. */
  readonly retried: Set<string>
  /** Arrivals of the latest retries. */
  recent: RequestFact[]
  last: RequestFact | undefined
  isBroken: boolean
}

export const jitter = defineRule({
  id: 'jitter',
  title: 'Spreads the retries of several requests',
  severity: 'warning',
  examines:
    'Retries of three or more different requests that failed within one second. They coincide if three of them arrive within 20 ms, and each was sent before the client had the response to another.',
  fix: 'Add a random part to each delay, also after Retry-After, or send the retries one after the other.',
  source: 'spec §8 rule 2',
  finding: {
    kept: (kept) => `the retries of ${toCount(kept, 'groups')} of requests were spread`,
    broken: (violations, kept) =>
      `the retries of ${violations} of ${toCount(violations + kept, 'groups')} of requests coincided`,
    unseen: 'no three requests failed together and were retried',
  },
  examine(findings) {
    const failed = new Map<string, { readonly request: RequestFact; readonly group: Group }>()
    const groups: Group[] = []
    const findGroup = ({ atMs }: RequestFact): Group => {
      const current = groups.at(-1)
      if (current && atMs >= current.startMs && atMs - current.startMs < togetherMs) return current
      const group: Group = {
        startMs: atMs,
        retried: new Set(),
        recent: [],
        last: undefined,
        isBroken: false,
      }
      groups.push(group)
      return group
    }
    return {
      see(request) {
        const before = failed.get(request.text)
        if (before && hadResponse(request, before.request)) {
          addRetry(before.group, request)
          failed.delete(request.text)
        }
        if (!isRetryable(request) || failed.has(request.text)) return
        failed.set(request.text, { request, group: findGroup(request) })
      },
      end() {
        for (const { last, retried, isBroken } of groups) {
          if (!last || retried.size < severalRequests) continue
          const observe = () =>
            `${retried.size} requests that failed together were retried, ${isBroken ? `${severalRequests} or more within ${coincidenceMs} ms` : 'at different times'}; the last one was ${toName(last)}`
          if (isBroken) findings.violate(last, observe)
          else findings.keep(last, observe)
        }
      },
    }
  },
})

function addRetry(group: Group, request: RequestFact): void {
  group.retried.add(request.text)
  group.last = request
  group.recent = [...group.recent.slice(-rememberedArrivals), request]
  const near = group.recent.filter((each) => coincides(request, each))
  if (near.length >= severalRequests) group.isBroken = true
}

function coincides(request: RequestFact, other: RequestFact): boolean {
  if (hadResponse(request, other)) return false
  const worldMs = Math.abs(request.arrivedAtMs - other.arrivedAtMs)
  return Math.max(worldMs, Math.abs(toRealArrival(request) - toRealArrival(other))) <= coincidenceMs
}

/** Time of the arrival on the clock of the machine. */
function toRealArrival({ realAtMs, waitedMs }: RequestFact): number {
  return realAtMs - waitedMs
}
