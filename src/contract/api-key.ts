import type { PlanId } from './plans.js'

/** What a key of the form `sbx_<plan>[_<scenario>[_<label>]]` says. */
export interface ApiKey {
  readonly plan: PlanId | 'revoked'
  /** Name of the scenario, or the names that were merged with `+`; undefined for the sandbox's initial one. */
  readonly scenario: string | undefined
  /** Empty without one. */
  readonly label: string
}

const pattern =
  /^sbx_(free|pro|business|enterprise|revoked)(?:_([a-z0-9]+(?:[+-][a-z0-9]+)*)(?:_([A-Za-z0-9-]{1,64}))?)?$/

/** What a key looks like, for those whose key does not. */
export const apiKeyForm =
  'sbx_<plan>[_<scenario>[_<label>]] with a plan free, pro, business or enterprise and a label of 1 to 64 letters, digits and -'

/** Reads a key; undefined when it is not of the form. */
export function parseApiKey(text: string): ApiKey | undefined {
  const match = pattern.exec(text)
  if (!match) return undefined
  const [, plan, scenario, label = ''] = match
  return { plan: plan as ApiKey['plan'], scenario, label } // the pattern knows only these plans
}

/** A key as a journal or a log may show it: its first 12 characters at the most. */
export function maskApiKey(apiKey: string): string {
  // A key of another form is all secret: of a short one not even so much is shown.
  const shown = apiKey.startsWith('sbx_') ? 12 : Math.min(12, Math.floor(apiKey.length / 2))
  return `${apiKey.slice(0, shown)}…`
}
