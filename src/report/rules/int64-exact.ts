import { toCount } from '../../service/validation/message.js'
import { toName, was } from '../requests.js'
import { defineRule } from '../rule.js'

export const int64Exact = defineRule({
  id: 'int64-exact',
  title: 'Keeps int64 ids exact',
  severity: 'error',
  examines:
    'Requests for an unknown pet whose id is the id of another pet, rounded to a JavaScript number: 9223372036854776000 in place of 9223372036854775807.',
  fix: 'Parse the integers of responses as BigInt or as strings: JSON.parse rounds beyond 2^53.',
  source: 'spec §2, §4.2, RFC 8259 §6',
  finding: {
    kept: (kept) => `${toCount(kept, 'requests')} named an id beyond 2^53 exactly`,
    broken: (violations) =>
      `the id of ${toCount(violations, 'requests')} ${was(violations)} rounded`,
    unseen: 'no request named a pet whose id is beyond 2^53; the scenario int64-ids has some',
  },
  examine(findings) {
    return {
      see(request) {
        if (request.traits.roundedId) {
          findings.violate(request, () => `the id in the path of ${toName(request)} is rounded`)
        } else if (request.traits.longId) {
          findings.keep(request, () => `the id in the path of ${toName(request)} is exact`)
        }
      },
    }
  },
})
