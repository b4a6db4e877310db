import { type AddressId, addresses } from '../../contract/addresses.js'
import { planIds } from '../../contract/plans.js'
import type { Paint } from '../terminal.js'

/** The addresses, keys and example request of a server that is listening. */
export interface StartUp {
  readonly scenario: string
  /** Whether other machines can connect to the server. */
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
    /** Keys of the initial scenario, one for each plan. */
    readonly initial: readonly string[]
    /** A key of another scenario. */
    readonly other: string
  }
  /** A curl command that sends a first request, valid in every shell. */
  readonly curl: string
}

const loopback = /^(localhost|127\..*|::1)$/

/**
 * Describes the server after its start.
 *
 * @param origin URL of the server: `http://127.0.0.1:4010`.
 * @param host The value of `--host`.
 * @param scenario Name of the initial scenario.
 * @param scenarios Names of all scenarios.
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
      initial: planIds.map((plan) => `sbx_${plan}`),
      other: `sbx_free_${other}`,
    },
    // Double quotes work in every shell, including those of Windows.
    curl: `curl -H "Authorization: Bearer sbx_free" "${toUrl('api')}/inventory"`,
  }
}

/** Formats the start-up information as human-readable lines. */
export function toStartUpText(
  { scenario, isPublic, urls, keys, curl }: StartUp,
  paint: Paint,
): string {
  const row = (label: string, value: string, note = '') =>
    `  ${label.padEnd(13)}${value}${note && paint('dim', `  ${note}`)}`
  return [
    `${paint('bold', 'petstore-sandbox')} serves the scenario ${paint('bold', scenario)}`,
    ...(isPublic ? [paint('yellow', 'Other machines can connect to it.')] : []),
    '',
    row('API', paint('cyan', urls.api)),
    row('Staging', paint('cyan', urls.staging)),
    row('Quickstart', paint('cyan', urls.quickstart)),
    row('Control API', paint('cyan', urls.control)),
    row('Console', paint('cyan', urls.console)),
    row('OpenAPI', paint('cyan', urls.openapi)),
    '',
    row('Keys', keys.initial.join('  '), 'the initial scenario, one key for each plan'),
    row('', keys.other, 'another scenario; petstore-sandbox scenarios lists them'),
    row('', 'petstore-sandbox key', 'prints a key for a private world'),
    '',
    row('Try', curl),
    row('Stop', 'Ctrl+C'),
    '',
    '',
  ].join('\n')
}
