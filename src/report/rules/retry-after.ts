import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { hadResponse, isRateLimited, toElapsedMs, toName, toSeconds } from '../requests.js'
import { defineRule, type Findings } from '../rule.js'

/** Inaccuracy of timers. */
const toleranceMs = 50
/** Retry-After is in whole seconds. */
const roundingMs = 1_000
/** Maximum number of responses with Retry-After that are remembered. */
const maximumWaits = 200

/** A response with Retry-After. */
interface Wait {
  readonly response: RequestFact
  readonly waitMs: number
  /** Whether a request was too early: a violation, or possibly sent before the response arrived. */
  isDisturbed: boolean
}

export const retryAfter = defineRule({
  id: 'retry-after',
  title: 'Waits as long as Retry-After says',
  severity: 'error',
  examines:
    'Requests after a response with Retry-After: the same request, and after a rejection by the rate limit every other rejected request. A request breaks the rule if it came more than 50 ms too early, and the client certainly had the response: in process, on the same connection, after that connection had ended, or after more than a second. An admitted request may come up to a second too early, because Retry-After is rounded up.',
  fix: 'Read the Retry-After header, and send nothing with this key until this time has passed.',
  source: 'spec §8 rule 2, RFC 9110 §10.2.3',
  finding: {
    kept: (kept) =>
      `${toCount(kept, 'responses')} with Retry-After, and the client waited each time`,
    broken: (violations, kept) =>
      `${violations} of ${toCount(violations + kept, 'requests')} came before Retry-After had passed`,
    unseen:
      'no response with Retry-After was followed by a request that shows whether the client waits',
  },
  examine(findings, { nowMs }) {
    let waits: Wait[] = []
    return {
      see(request) {
        const early = waits.filter((wait) => applies(wait, request))
        const ended = early.filter((wait) => hasPassed(wait, request))
        for (const wait of ended) if (!wait.isDisturbed) keep(findings, request, wait)
        const pending = early.filter((wait) => !ended.includes(wait))
        checkEarly(findings, request, pending)
        const isAdmitted = request.traits.metered === true && !isRateLimited(request)
        waits = waits.filter((wait) => {
          if (ended.includes(wait)) return false
          return !(isAdmitted && isRateLimited(wait.response))
        })
        if (request.retryAfterSeconds === undefined) return
        const waitMs = request.retryAfterSeconds * 1_000
        waits.push({ response: request, waitMs, isDisturbed: false })
        waits = waits.slice(-maximumWaits)
      },
      end() {
        for (const { response, waitMs, isDisturbed } of waits) {
          if (isDisturbed || response.atMs + waitMs > nowMs) continue
          findings.keep(response, () => `did not repeat ${toName(response)}`)
        }
      },
    }
  },
})

/** Whether a request should have waited: the same request, or after a rejection every request. */
function applies({ response }: Wait, request: RequestFact): boolean {
  return isRateLimited(response) ? request.traits.metered === true : request.text === response.text
}

function hasPassed({ response, waitMs }: Wait, request: RequestFact): boolean {
  const isAdmitted = isRateLimited(response) && !isRateLimited(request)
  const toleratedMs = isAdmitted ? roundingMs : toleranceMs
  return toElapsedMs(request, response) >= waitMs - toleratedMs
}

function keep(findings: Findings, request: RequestFact, { response }: Wait): void {
  const waited = () => toSeconds(toElapsedMs(request, response))
  findings.keep(request, () =>
    request.text === response.text
      ? `retried ${toName(request)} after ${waited()}, Retry-After was ${response.retryAfterSeconds} s`
      : `sent ${toName(request)} when Retry-After had passed`,
  )
}

/** Adds a violation if the client had one of the responses. A test may lift the limit meanwhile. */
function checkEarly(findings: Findings, request: RequestFact, pending: readonly Wait[]): void {
  for (const wait of pending) wait.isDisturbed = true
  const known = pending.filter(
    ({ response }) =>
      hadResponse(request, response) && (isRateLimited(request) || !isRateLimited(response)),
  )
  const response = (known.find((each) => each.response.text === request.text) ?? known[0])?.response
  if (!response) return
  findings.violate(request, () => {
    const waited = toSeconds(toElapsedMs(request, response))
    return request.text === response.text
      ? `retried ${toName(request)} after ${waited}, Retry-After was ${response.retryAfterSeconds} s`
      : `sent ${toName(request)} ${waited} after a rejection, although Retry-After was ${response.retryAfterSeconds} s`
  })
}
