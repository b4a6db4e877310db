import { toCount } from '../../service/validation/message.js'
import { toName, was } from '../requests.js'
import { defineRule } from '../rule.js'

export const contentType = defineRule({
  id: 'content-type',
  title: 'Sends bodies as application/json',
  severity: 'error',
  examines: 'The Content-Type of requests of operations that take a body.',
  fix: 'Send Content-Type: application/json with PATCH and POST. fetch sends text/plain by default.',
  source: 'spec §4, RFC 9110 §8.3',
  finding: {
    kept: (kept) => `${toCount(kept, 'bodies', 'body')} ${was(kept)} sent as application/json`,
    broken: (violations, kept) =>
      `${violations} of ${toCount(violations + kept, 'requests')} with a body had another Content-Type, or none`,
    unseen: 'no request of an operation with a body was sent',
  },
  examine(findings) {
    return {
      see(request) {
        if (request.traits.otherType) {
          findings.violate(request, () => `${toName(request)} was not sent as application/json`)
        } else if (request.traits.jsonType) {
          findings.keep(request, () => `${toName(request)} was sent as application/json`)
        }
      },
    }
  },
})
