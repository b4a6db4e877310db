import { type AddressId, addresses } from '../../service/addresses.js'
import { planIds } from '../../service/plans.js'
import type { Store } from '../../store/store.js'
import { defaultKeyIssuing } from '../../transport/http/access.js'
import { isLoopback, toRoot } from '../../transport/http/hosts.js'
import type { Paint } from '../terminal.js'
import type { ServeOptions } from './options.js'

/** The addresses, keys and example request of a server that is listening. */
export type StartUp = ReturnType<typeof describeStartUp>

/**
 * Describes the server after its start.
 *
 * @param url URL at which this machine reaches the server: `http://127.0.0.1:4010`.
 * @param scenario Name of the initial scenario.
 * @param names Names of all scenarios.
 */
export function describeStartUp(
  options: ServeOptions,
  url: string,
  scenario: string,
  names: readonly string[],
  store: Store | undefined,
) {
  const { host, keySecrets, keyIssuing = defaultKeyIssuing(keySecrets), publicUrl = url } = options
  const origin = toRoot(publicUrl)
  const other = names.find((name) => name !== scenario && name !== 'default') ?? 'default'
  const toUrl = (id: AddressId) => `${origin}${addresses[id].httpPath}`
  return {
    /** URL at which this machine reaches the server. */
    listening: url,
    scenario,
    /** Whether other machines can connect to the server. */
    isPublic: host !== 'localhost' && !isLoopback(host),
    /** Where the worlds are kept: `directory /var/lib/worlds`. Undefined for memory only. */
    store: store && `${store.kind} ${store.location}`,
    /** Whether every key with a label is accepted, because there is no key secret. */
    acceptsAnyLabel: keySecrets === undefined,
    urls: {
      api: toUrl('api'),
      staging: toUrl('staging'),
      quickstart: toUrl('quickstart'),
      control: toUrl('control'),
      console: `${origin}/`,
      openapi: `${origin}/openapi.json`,
    },
    keys: {
      /** Keys of the initial scenario, one for each plan. */
      initial: planIds.map((plan) => `sbx_${plan}`),
      /** A key of another scenario. */
      other: `sbx_free_${other}`,
      /** A command that prints a key for a private world. */
      create: keySecrets ? toIssueCommand(toUrl('control'), keyIssuing) : 'petstore-sandbox key',
    },
    /** Sends a first request. Double quotes work in every shell, also on Windows. */
    curl: `curl -H "Authorization: Bearer sbx_free" "${toUrl('api')}/inventory"`,
  }
}

const openWarning =
  'Everyone who can connect can create and control worlds, unless you set --key-secret.'

/** Returns a command that issues a signed key. It contains neither the secret nor the token. */
function toIssueCommand(controlUrl: string, keyIssuing: string): string {
  if (keyIssuing === 'off') return 'petstore-sandbox key --key-secret-file <path>'
  const token = keyIssuing === 'open' ? '' : ' -H "Sandbox-Token: <token>"'
  return `curl -X POST -H "Authorization: Bearer sbx_free"${token} "${controlUrl}/keys"`
}

/** Formats the start-up information as human-readable lines. */
export function toStartUpText(
  { listening, scenario, isPublic, store, acceptsAnyLabel, urls, keys, curl }: StartUp,
  paint: Paint,
): string {
  const sharing = acceptsAnyLabel ? '' : '; shared, and not controlled by clients'
  const warning = `Other machines can connect to it.${acceptsAnyLabel ? ` ${openWarning}` : ''}`
  const row = (label: string, value: string, note = '') =>
    `  ${label.padEnd(13)}${value}${note && paint('dim', `  ${note}`)}`
  return [
    `${paint('bold', 'petstore-sandbox')} serves the scenario ${paint('bold', scenario)}`,
    ...(isPublic ? [paint('yellow', warning)] : []),
    ...(urls.console === `${listening}/` ? [] : [`It listens on ${listening}`]),
    '',
    row('API', paint('cyan', urls.api)),
    row('Staging', paint('cyan', urls.staging)),
    row('Quickstart', paint('cyan', urls.quickstart)),
    row('Control API', paint('cyan', urls.control)),
    row('Console', paint('cyan', urls.console)),
    row('OpenAPI', paint('cyan', urls.openapi)),
    ...(store === undefined ? [] : [row('Worlds', store)]),
    '',
    row('Keys', keys.initial.join('  '), `the initial scenario, one key for each plan${sharing}`),
    row('', keys.other, 'another scenario; petstore-sandbox scenarios lists them'),
    row('', keys.create, 'prints a key for a private world'),
    '',
    row('Try', curl),
    row('Stop', 'Ctrl+C'),
    '',
    '',
  ].join('\n')
}
