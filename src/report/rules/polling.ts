import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { hadResponse, toElapsedMs, toName, toSeconds, was } from '../requests.js'
import { defineRule } from '../rule.js'

/** Interval from which regular requests are acceptable: the service has no notifications. */
const acceptableMs = 10_000
/** Minimum number of successive requests of unchanged data that count as polling. */
const maximumRepetitions = 10

/** Successive requests of unchanged data. */
interface Run {
  readonly first: RequestFact
  last: RequestFact
  length: number
}

export const polling = defineRule({
  id: 'polling',
  title: 'Does not fetch unchanged data again and again',
  severity: 'warning',
  examines:
    'Ten or more identical GET requests in succession, each within 10 s after the previous response, while the data of the world did not change.',
  fix: 'Cache the response, poll every 10 s or less often, and stop while the page is hidden.',
  source: 'spec §6, §8',
  finding: {
    kept: (kept) => `${toCount(kept, 'responses')} ${was(kept)} fetched again, not too often`,
    broken: (violations) => `unchanged data was polled ${toCount(violations, 'times')}`,
    unseen: 'the requests do not show whether unchanged data is fetched again',
  },
  examine(findings) {
    const runs = new Map<string, Run>()
    const repeated = new Map<string, RequestFact>()
    return {
      see(request) {
        if (request.method !== 'GET' || request.status !== 200) return
        const run = runs.get(request.text)
        if (run && !hadResponse(request, run.last)) return
        if (!run || !continues(run, request)) {
          if (run) repeated.set(request.text, request)
          runs.set(request.text, { first: request, last: request, length: 1 })
          return
        }
        run.last = request
        run.length += 1
        repeated.set(request.text, request)
        if (run.length !== maximumRepetitions) return
        const duration = toSeconds(toElapsedMs(request, run.first))
        findings.violate(
          request,
          () =>
            `${toName(request)} was fetched ${maximumRepetitions} times in ${duration}, and no data had changed`,
        )
      },
      end() {
        for (const request of repeated.values()) {
          findings.keep(request, () => `${toName(request)} was fetched again`)
        }
      },
    }
  },
})

function continues({ last }: Run, request: RequestFact): boolean {
  return request.revision === last.revision && toElapsedMs(request, last) < acceptableMs
}
