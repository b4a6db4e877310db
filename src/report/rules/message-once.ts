import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { isRepetition, toName, toSeconds, was } from '../requests.js'
import { defineRule } from '../rule.js'

/** Time after which the same content may be a new message. */
const rememberedMs = 600_000

export const messageOnce = defineRule({
  id: 'message-once',
  title: 'Sends a message at most once',
  severity: 'error',
  examines:
    'Identical POST requests within ten minutes after one whose response was lost (reset, truncated or aborted), or that failed with 5xx after the message was queued.',
  fix: 'Do not retry POST automatically after a lost response: the message may have been queued. The specification documents no idempotency key.',
  source: 'spec §4.4, RFC 9110 §9.2.2',
  finding: {
    kept: (kept) =>
      `${toCount(kept, 'responses')} to POST ${was(kept)} lost, and the request was not repeated`,
    broken: (violations) =>
      `${toCount(violations, 'POST requests')} followed a lost response to the same request`,
    unseen: 'no response to a POST request was lost',
  },
  examine(findings) {
    const lost = new Map<string, RequestFact>()
    return {
      see(request) {
        if (request.method !== 'POST') return
        const before = lost.get(request.text)
        if (before && isRepeated(request, before)) {
          findings.violate(request, () => describeRepetition(request, before))
          lost.delete(request.text)
        }
        if (isLost(request)) lost.set(request.text, request)
      },
      end() {
        for (const request of lost.values()) {
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

function isRepeated(request: RequestFact, before: RequestFact): boolean {
  const sinceMs = request.arrivedAtMs - before.atMs
  if (sinceMs >= rememberedMs) return false
  return isRepetition(request, before) || (before.traits.aborted === true && sinceMs >= 0)
}

function describeRepetition(request: RequestFact, before: RequestFact): string {
  const waited = toSeconds(request.arrivedAtMs - before.atMs)
  const effect = before.traits.changed ? ', although the first one had queued the message' : ''
  const key = request.traits.idempotencyKey
    ? ' with an Idempotency-Key, which the specification does not document'
    : ''
  return `repeated ${toName(request)} ${waited} after a lost response${key}${effect}`
}
