import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { hadResponse, toElapsedMs, toName, toSeconds } from '../requests.js'
import { defineRule } from '../rule.js'

/** Time after which another user may have sent a request. */
const rememberedMs = 600_000

export const stopOn401 = defineRule({
  id: 'stop-on-401',
  title: 'Stops when the key is rejected',
  severity: 'error',
  examines:
    'Requests with the same key within ten minutes after a 401: the same request again, or another rejected request, unless the client may not have had the response. The report of a key has only the 401 of faults and of Prefer, because requests without a valid key cannot be attributed to it. In a test run, such requests count as a separate client.',
  fix: 'Do not retry a 401. Stop, and report that the key is missing, mistyped or revoked.',
  source: 'spec §5, §7, RFC 9110 §15.5.2',
  finding: {
    kept: (kept) => `${toCount(kept, 'requests')} received 401, and the client stopped`,
    broken: (violations) => `${toCount(violations, 'requests')} followed a 401 with the same key`,
    unseen: 'the requests do not show whether the client goes on after a 401',
  },
  examine(findings) {
    const rejected = new Map<string, RequestFact>()
    /** The last rejection of each key. */
    const keys = new Map<string, RequestFact>()
    /** Keys with requests that the client may have sent before it had the response. */
    const unclear = new Set<string>()
    const check = (request: RequestFact, key: string, before: RequestFact | undefined) => {
      const other = keys.get(key)
      const isRecent = (earlier: RequestFact) => toElapsedMs(request, earlier) < rememberedMs
      const earlier = before ?? other
      if (earlier && !hadResponse(request, earlier)) {
        unclear.add(key)
        return
      }
      if (before && isRecent(before)) {
        findings.violate(
          request,
          () =>
            `repeated ${toName(request)} ${toSeconds(toElapsedMs(request, before))} after a 401`,
        )
        return
      }
      const isRefused = request.status === 401 && !request.traits.simulated
      if (before || !other || !isRefused || !isRecent(other)) return
      findings.violate(request, () => `sent ${toName(request)} with a key that was rejected before`)
    }
    return {
      see(request) {
        const { text, apiKey } = request
        const key = apiKey ?? ''
        const same = rejected.get(text)
        const before = same?.apiKey === apiKey ? same : undefined
        if (before || request.status === 401) check(request, key, before)
        if (request.status !== 401) {
          if (before) rejected.delete(text)
          return
        }
        rejected.set(text, request)
        keys.set(key, request)
      },
      end() {
        for (const [key, request] of keys) {
          if (unclear.has(key)) continue
          findings.keep(request, () => `did not repeat ${toName(request)} after a 401`)
        }
      },
    }
  },
})
