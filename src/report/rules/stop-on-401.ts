import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { isLater, isRepetition, toName, toSeconds } from '../requests.js'
import { defineRule } from '../rule.js'

/** Time after which a request may be that of another user. */
const rememberedMs = 600_000

export const stopOn401 = defineRule({
  id: 'stop-on-401',
  title: 'Stops when the key is rejected',
  severity: 'error',
  examines:
    'Requests with the same key after a 401: the same request again, or another that is rejected too. A world records 401 that a fault or Prefer produces. Requests without a valid key are recorded only by a sandbox in process or for clients on the same machine, in the world of the initial scenario; they count for each of its keys.',
  fix: 'Do not retry a 401. Stop, and report that the key is missing, mistyped or revoked.',
  source: 'spec §5, §7, RFC 9110 §15.5.2',
  finding: {
    kept: (kept) => `${toCount(kept, 'requests')} received 401, and the client stopped`,
    broken: (violations) => `${toCount(violations, 'requests')} followed a 401 with the same key`,
    unseen: 'no request received 401',
  },
  examine(findings) {
    const rejected = new Map<string, RequestFact>()
    /** The last rejection of each key. */
    const keys = new Map<string, RequestFact>()
    const check = (request: RequestFact, key: string, before: RequestFact | undefined) => {
      const other = keys.get(key)
      const isRecent = (earlier: RequestFact) => request.arrivedAtMs - earlier.atMs < rememberedMs
      if (before && isRecent(before) && isRepetition(request, before)) {
        findings.violate(
          request,
          () =>
            `repeated ${toName(request)} ${toSeconds(request.arrivedAtMs - before.atMs)} after a 401`,
        )
        return
      }
      const isRefused = request.status === 401 && !request.traits.simulated
      if (before || !other || !isRefused || !isRecent(other) || !isLater(request, other)) return
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
        for (const request of keys.values()) {
          findings.keep(request, () => `did not repeat ${toName(request)} after a 401`)
        }
      },
    }
  },
})
