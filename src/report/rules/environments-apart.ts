import type { RequestFact } from '../../world/journal/facts.js'
import { defineRule } from '../rule.js'

export const environmentsApart = defineRule({
  id: 'environments-apart',
  title: 'Uses one key for each environment',
  severity: 'warning',
  examines: 'Whether the same key was used in production and in staging.',
  fix: 'Configure the key together with the base address, so that each environment has its own.',
  source: 'spec, introduction, §5',
  finding: {
    kept: () => 'the key was used in one environment',
    broken: () => 'the key was used in production and in staging',
    unseen: 'no request was sent',
  },
  examine(findings, { environment, isUsedElsewhere }) {
    let first: RequestFact | undefined
    return {
      see(request) {
        if (request.account !== null) first ??= request
      },
      end() {
        if (!first || isUsedElsewhere === undefined) return
        const other = environment === 'production' ? 'staging' : 'production'
        if (isUsedElsewhere) {
          findings.violate(first, () => `the key was used in ${environment}, and also in ${other}`)
        } else {
          findings.keep(first, () => `the key was used in ${environment}`)
        }
      },
    }
  },
})
