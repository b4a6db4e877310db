import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { hadResponse, toElapsedMs, toName, toSeconds, was } from '../requests.js'
import { defineRule } from '../rule.js'

/** Statuses that the same request receives again. */
const finalStatuses: readonly number[] = [400, 404, 405, 410, 413, 415]
/** Time after which the request may be sent for another reason. */
const rememberedMs = 60_000

export const noRepeat = defineRule({
  id: 'no-repeat',
  title: 'Does not repeat a rejected request unchanged',
  severity: 'error',
  examines:
    'Identical requests within a minute after 400, 404, 405, 410, 413 or 415, unless the data has changed meanwhile, the repetition succeeded, or the client may not have had the response.',
  fix: 'Retry only 429, 408, 5xx and lost connections. Correct the request, or report the error.',
  source: 'spec §7, RFC 9110 §15.5',
  finding: {
    kept: (kept) => `${toCount(kept, 'requests')} ${was(kept)} rejected and not repeated`,
    broken: (violations) =>
      `${toCount(violations, 'rejected requests')} ${was(violations)} repeated unchanged`,
    unseen:
      'the requests do not show whether requests that were rejected as invalid, not found or gone are repeated',
  },
  examine(findings) {
    const rejected = new Map<string, RequestFact>()
    /** Requests that were repeated when the client may not have had the response. */
    const unclear = new Set<string>()
    return {
      see(request) {
        const before = rejected.get(request.text)
        if (before && !hadResponse(request, before)) unclear.add(request.text)
        else if (before && isForbidden(request, before)) {
          const waited = toSeconds(toElapsedMs(request, before))
          findings.violate(
            request,
            () => `repeated ${toName(request)} ${waited} after a ${before.status}`,
          )
          rejected.delete(request.text)
        }
        if (finalStatuses.includes(request.status)) rejected.set(request.text, request)
        else if (before) rejected.delete(request.text)
      },
      end() {
        for (const request of rejected.values()) {
          if (unclear.has(request.text)) continue
          findings.keep(
            request,
            () => `did not repeat ${toName(request)} after a ${request.status}`,
          )
        }
      },
    }
  },
})

function isForbidden(request: RequestFact, before: RequestFact): boolean {
  if (toElapsedMs(request, before) >= rememberedMs) return false
  if (before.traits.simulated) return true
  return request.status >= 400 && request.revision === before.revision
}
