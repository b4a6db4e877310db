import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { isAfter, toElapsedMs, toName, toSeconds, was } from '../requests.js'
import { defineRule } from '../rule.js'

export const messageOnce = defineRule({
  id: 'message-once',
  title: 'Sends a message at most once',
  severity: 'error',
  examines:
    'Identical POST requests, whenever they arrive, after a request whose response was lost (reset, truncated or aborted), or that failed with 5xx after the message was queued.',
  fix: 'Do not retry POST automatically after a lost response: the message may have been queued. The specification documents no idempotency key.',
  source: 'spec §4.4, RFC 9110 §9.2.2',
  finding: {
    kept: (kept) =>
      `${toCount(kept, 'responses')} to POST ${was(kept)} lost, and the request was not repeated`,
    broken: (violations) =>
      `${toCount(violations, 'POST requests')} followed a lost response to the same request`,
    unseen: 'the requests do not show whether a message is sent again after its response was lost',
  },
  examine(findings) {
    const lost = new Map<string, RequestFact>()
    /** Requests with another identical one in flight when the response was lost. */
    const unclear = new Set<string>()
    return {
      see(request) {
        if (request.method !== 'POST') return
        const before = lost.get(request.text)
        if (before && !isAfter(request, before)) unclear.add(request.text)
        else if (before) {
          findings.violate(request, () => describeRepetition(request, before))
          lost.delete(request.text)
        }
        if (isLost(request)) lost.set(request.text, request)
      },
      end() {
        for (const request of lost.values()) {
          if (unclear.has(request.text)) continue
          findings.keep(request, () => `did not repeat ${toName(request)}, whose response was lost`)
        }
      },
    }
  },
})

function isLost(request: RequestFact): boolean {
  const { aborted, lost, changed } = request.traits
  return aborted === true || lost === true || (request.status >= 500 && changed === true)
}

function describeRepetition(request: RequestFact, before: RequestFact): string {
  const waited = toSeconds(toElapsedMs(request, before))
  const effect = before.traits.changed ? ', although the first one had queued the message' : ''
  const key = request.traits.idempotencyKey
    ? ' with an Idempotency-Key, which the specification does not document'
    : ''
  return `repeated ${toName(request)} ${waited} after a lost response${key}${effect}`
}
