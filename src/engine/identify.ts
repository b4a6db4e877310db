import type { Environment } from '../service/addresses.js'
import { apiKeyForm, maskApiKey, parseApiKey } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import type { PlanId } from '../service/plans.js'
import type { WorldName } from '../world/world.js'
import type { Access } from './access.js'

/** The world that an API key reaches, and its plan there. */
export interface KeyTarget {
  readonly plan: PlanId
  readonly name: WorldName
}

/**
 * Parses an API key of the form `sbx_<plan>[_<scenario>[_<label>]]`.
 *
 * @param initialScenario Scenario of keys that do not name one.
 * @throws {Problem} `invalid_api_key` if the key has another form, is revoked, or was not issued by
 * a sandbox with a key secret.
 */
export function identifyKey(
  apiKey: string,
  environment: Environment,
  initialScenario: string,
  access: Access,
): KeyTarget {
  const key = parseApiKey(apiKey)
  if (!key) throw createInvalidKeyProblem(apiKey, `must be ${apiKeyForm}`)
  const { plan, scenario = initialScenario } = key
  if (plan === 'revoked') throw createInvalidKeyProblem(apiKey, 'is revoked')
  const label = access.readLabel(key)
  if (label !== undefined) return { plan, name: { environment, scenario, label } }
  const reason = 'has a label, but was not issued by this sandbox'
  throw createInvalidKeyProblem(apiKey, `${reason}; ${access.howToGetKey}`)
}

export function createInvalidKeyProblem(apiKey: string, reason: string): Problem {
  return new Problem('invalid_api_key', `the API key ${maskApiKey(apiKey)} ${reason}`)
}
