import { type AddressId, addresses } from '../../contract/addresses.js'
import { planIds } from '../../contract/plans.js'
import type { Paint } from '../terminal.js'

/** The addresses, keys and example request of a server that is listening. */
export interface StartUp {
  /** URL at which this machine reaches the server. */
  readonly listening: string
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

/** The settings of a server that {@link describeStartUp} describes. */
export interface StartUpSettings {
  /** URL at which this machine reaches the server: `http://127.0.0.1:4010`. */
  readonly url: string
  /** The value of `--host`. */
  readonly host: string
  /** The value of `--public-url`. */
  readonly publicUrl: string | undefined
  /** Name of the initial scenario. */
  readonly scenario: string
  /** Names of all scenarios. */
  readonly scenarios: readonly string[]
}

/** Describes the server after its start. */
export function describeStartUp(settings: StartUpSettings): StartUp {
  const { url, host, publicUrl = url, scenario, scenarios } = settings
  const origin = publicUrl.replace(/\/+$/, '')
  const other = scenarios.find((name) => name !== scenario && name !== 'default') ?? 'default'
  const toUrl = (id: AddressId) => `${origin}${addresses[id].httpPath}`
  return {
    listening: url,
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
  { listening, scenario, isPublic, urls, keys, curl }: StartUp,
  paint: Paint,
): string {
  const row = (label: string, value: string, note = '') =>
    `  ${label.padEnd(13)}${value}${note && paint('dim', `  ${note}`)}`
  return [
    `${paint('bold', 'petstore-sandbox')} serves the scenario ${paint('bold', scenario)}`,
    ...(isPublic ? [paint('yellow', 'Other machines can connect to it.')] : []),
    ...(urls.console === `${listening}/` ? [] : [`It listens on ${listening}`]),
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
