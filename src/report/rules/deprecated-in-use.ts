import { toCount } from '../../service/validation/message.js'
import type { RequestFact } from '../../world/journal/facts.js'
import { toName } from '../requests.js'
import { defineRule } from '../rule.js'

export const deprecatedInUse = defineRule({
  id: 'deprecated-in-use',
  title: 'Does not use a deprecated operation',
  severity: 'warning',
  examines:
    'Requests of an operation that is deprecated: a warning, and an error after its sunset.',
  fix: 'Replace getPet before the date in the Sunset header. Log the Deprecation and Sunset headers.',
  source: 'spec §9, RFC 9745, RFC 8594',
  finding: {
    kept: () => 'no deprecated operation was used',
    broken: (violations) => `${toCount(violations, 'requests')} used a deprecated operation`,
    unseen: 'no request was sent',
  },
  examine(findings) {
    let other: RequestFact | undefined
    return {
      see(request) {
        if (!request.traits.deprecated) {
          if (request.operation !== undefined) other ??= request
        } else if (request.traits.afterSunset) {
          findings.violate(request, () => `${toName(request)} was used after its sunset`, 'error')
        } else findings.violate(request, () => `${toName(request)} is deprecated`)
      },
      end() {
        if (other) findings.keep(other, () => `${toName(other as RequestFact)} is not deprecated`)
      },
    }
  },
})
