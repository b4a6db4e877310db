import { type AddressId, addresses } from '../../contract/addresses.js'
import { planIds } from '../../contract/plans.js'

/** What a user needs to know once the sandbox listens. */
export interface StartUp {
  readonly scenario: string
  /** Whether other machines can reach it. */
  readonly isPublic: boolean
  readonly urls: {
    readonly api: string
    readonly staging: string
    readonly quickstart: string
    readonly control: string
    readonly console: string
    readonly openapi: string
  }
  readonly keys: {
    /** Reach the scenario that the sandbox started with. */
    readonly here: readonly string[]
    /** Reaches another scenario. */
    readonly elsewhere: string
  }
  /** A first call, to be pasted into any shell. */
  readonly curl: string
}

const loopback = /^(localhost|127\..*|::1)$/

/**
 * Collects what to say at the start.
 *
 * @param origin The URL of the server: `http://127.0.0.1:4010`.
 * @param host The address that it was told to listen on.
 * @param scenario Name of what it started with.
 * @param scenarios The names of all scenarios.
 */
export function describeStartUp(
  origin: string,
  host: string,
  scenario: string,
  scenarios: readonly string[],
): StartUp {
  const other = scenarios.find((name) => name !== scenario && name !== 'default') ?? 'default'
  const toUrl = (id: AddressId) => `${origin}${addresses[id].httpPath}`
  return {
    scenario,
    isPublic: !loopback.test(host),
    urls: {
      api: toUrl('api'),
      staging: toUrl('staging'),
      quickstart: toUrl('quickstart'),
      control: toUrl('control'),
      console: `${origin}/`,
      openapi: `${origin}/openapi.json`,
    },
    keys: {
      here: planIds.map((plan) => `sbx_${plan}`),
      elsewhere: `sbx_free_${other}`,
    },
    // Double quotes work in every shell, those of Windows too.
    curl: `curl -H "Authorization: Bearer sbx_free" "${toUrl('api')}/inventory"`,
  }
}
