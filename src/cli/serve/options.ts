import { readFileSync, statSync } from 'node:fs'
import { kebabCase } from 'es-toolkit/string'
import * as z from 'zod/mini'
import { HttpLimits } from '../../service/bounds.js'
import { headerNameSchema } from '../../service/schemas.js'
import {
  isToken,
  keySecretFileForm,
  keySecretForm,
  splitSecrets,
  tokenForm,
} from '../../transport/http/access.js'
import { allowedHostsSchema, publicUrlSchema } from '../../transport/http/hosts.js'
import { UsageError } from '../../verify/usage-error.js'
import {
  choice,
  flag,
  integer,
  type OptionValues,
  option,
  parsed,
  scenariosOption,
  secret,
  splitList,
  text,
  withVariables,
} from '../options.js'

/** Creates the option of a command that signs keys, and of the server that accepts them. */
export function keySecretOption(description: string) {
  const flags = '--key-secret <secret>'
  const created = parsed(flags, description, keySecretForm, splitSecrets, true).fromVariables()
  created.rejectsEmptyVariable = true
  return created
}

/** Creates the option of a file with these secrets. */
export function keySecretFileOption(description: string) {
  const flags = '--key-secret-file <path>'
  const created = parsed(flags, description, keySecretFileForm, readSecretFile).fromVariables()
  created.rejectsEmptyVariable = true
  return created
}

const maximumSecretFile = 65_536

/** Reads a secret from each line. Returns undefined if the file cannot be read, or is not plain text. */
function readSecretFile(path: string): string[] | undefined {
  try {
    const stats = statSync(path)
    // Reading a pipe could wait for ever.
    if (!stats.isFile() || stats.size > maximumSecretFile) return undefined
    // Bytes that are no UTF-8 would all become the same character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).trim()
    const isPlain = /^(?!#)[^\p{Cc}]+(\r?\n(?!#)[^\p{Cc}]+)*$/u.test(text)
    return isPlain ? splitSecrets(text.replaceAll(/\s*\n\s*/g, ',')) : undefined
  } catch {
    return undefined
  }
}

/** Returns the secrets of both options; undefined for none. */
export function readKeySecrets(options: {
  readonly keySecrets: string[] | undefined
  readonly keySecretFile: string[] | undefined
}): string[] | undefined {
  const { keySecrets, keySecretFile } = options
  if (!keySecrets || !keySecretFile) return keySecrets ?? keySecretFile
  throw new UsageError('--key-secret and --key-secret-file exclude each other')
}

/** Joins repeated options with commas, the form that the environment variable has. */
function appendValue(value: string, others: string | undefined): string {
  return others === undefined ? value : `${others},${value}`
}

/** The options of `serve`, in the order of the help. */
export const serveOptions = withVariables({
  port: integer('-p, --port <number>', 'Port to listen on. 0: any free port.', 0, 65_535)
    .withDefault('4010')
    .fromVariables('PETSTORE_SANDBOX_PORT', 'PORT'),
  host: text(
    '--host <address>',
    'Address to listen on. 0.0.0.0: accept requests from other machines.',
  ).withDefault('127.0.0.1'),
  allowedHosts: option(
    '--allowed-hosts <hosts>',
    'Host names that requests may name, separated by commas; .shop.example includes all names below it. true: all. Default: only names of this machine, or all if --host is not a loopback address.',
    z.pipe(
      z.transform((value: string) => (value === 'true' ? true : splitList(value))),
      allowedHostsSchema,
    ),
  ),
  publicUrl: option(
    '--public-url <url>',
    'URL at which clients reach the server, for example through a proxy. Its host is allowed. The OpenAPI documents, the Link headers and the start-up output contain it. Default: the URL that trusted proxies forward, or the host of the request.',
    publicUrlSchema,
  ),
  scenario: parsed(
    '-s, --scenario <name>',
    'Initial scenario: a name or a .json file. Several are merged, separated by commas or in repeated options. Default: default.',
    'a scenario name or a .json file',
    (value) => (splitList(value).length > 0 ? splitList(value) : undefined),
  ).argParser(appendValue),
  scenarios: scenariosOption('Directory of scenario files, added to the built-in ones.'),
  watch: flag('--watch', 'Reloads the scenario files when they change.'),
  data: text(
    '--data <dir>',
    'Directory that keeps the worlds, so that they outlive the process. Needs the package classic-level. Default: worlds are kept in memory only.',
  ),
  dataSync: flag(
    '--data-sync',
    'Waits for the disk before each response, so that also a power failure loses no request.',
  ),
  redis: secret(
    '--redis <url>',
    'Redis server that keeps the worlds, and that several servers can share. Needs the package @redis/client.',
    'a URL such as redis://127.0.0.1:6379',
    (value) => /^rediss?:/.test(value) && URL.canParse(value),
  ),
  keepMs: measure(
    '--keep <time>',
    'Time after which unused worlds are removed from the directory or from Redis, in h or d. Default: 30d.',
    { h: 3_600_000, d: 86_400_000 },
    'a duration such as 30d',
    3_600_000,
  ),
  handlers: text('--handlers <file>', 'ES module that exports additional msw request handlers.'),
  journalHeaders: option(
    '--journal-header <name>',
    'Request header that the journals of shared worlds retain in addition. Several are separated by commas or in repeated options.',
    z.pipe(z.transform(splitList), z.array(headerNameSchema)),
  ).argParser(appendValue),
  log: choice('--log <style>', 'Style of the request log.', [
    'pretty',
    'json',
    'silent',
  ]).withDefault('pretty'),
  logClients: flag(
    '--log-clients',
    'Adds the address of the client, and the plan, scenario and label of its key, to the request log.',
  ),
  notice: integer(
    '--notice <seconds>',
    'Time after SIGTERM for which requests are still served while /readyz responds with 503, so that a load balancer stops sending them. Default: 5, or 0 if the output is a terminal.',
    0,
    3_600,
  ),
  keySecrets: keySecretOption(
    'Secret of at least 16 characters that signs keys. Only signed keys create worlds. A previous secret may follow, separated by a comma.',
  ),
  keySecretFile: keySecretFileOption(
    'File with the secret, and with previous ones on lines of their own, instead of --key-secret.',
  ),
  keyIssuing: permission(
    '--key-issuing <who>',
    'Who may create keys with POST /sandbox/keys: open (everyone), off (nobody), or a token that clients send as Sandbox-Token. Default: open, or off with --key-secret.',
    'open',
  ),
  control: permission(
    '--control <who>',
    'Who may control a world: own (clients with its key), off (nobody), or a token that these clients also send as Sandbox-Token.',
    'own',
  ).withDefault('own'),
  maxMemory: size(
    '--max-memory <size>',
    'Estimated size of all worlds, at most half of the heap. Default: 512MiB.',
  ),
  maxWorldMemory: size(
    '--max-world-memory <size>',
    'Estimated size of each world. Default: 16MiB.',
  ),
  maxWorlds: integer(
    '--max-worlds <number>',
    'Maximum number of worlds. Default: as many as --max-memory has room for.',
    1,
  ),
  retainMs: measure(
    '--retain <duration>',
    'Time for which a world that another client used is never evicted. Default: 15m.',
    { s: 1_000, m: 60_000, h: 3_600_000 },
    'a duration such as 15m',
  ),
  clientMemory: size(
    '--max-client-memory <size>',
    'Estimated size of the worlds of one client address. Default: half of the size of all worlds.',
  ),
  connections: limit('connections', 'Open connections.'),
  clientConnections: limit('clientConnections', 'Open connections of one client address.'),
  clientStreams: limit('clientStreams', 'Open event streams of one client address.'),
  clientWorlds: limit('clientWorlds', 'New worlds of one client address per minute.'),
  clientControlRequests: limit(
    'clientControlRequests',
    'Control requests of one client address per minute.',
  ),
  trustedProxies: integer(
    '--trust-proxy <hops>',
    'Number of reverse proxies whose headers are trusted: X-Forwarded-For, to which each adds the client address, and X-Forwarded-Proto, -Host and -Prefix. Default: 0.',
    0,
    100,
  ),
})

/** The options of `serve`. */
export type ServeOptions = OptionValues<typeof serveOptions>

/** Creates the option of a limit of the HTTP server, which has its name and its default. */
function limit(name: keyof HttpLimits, description: string) {
  const text = `${description} Default: ${new HttpLimits()[name]}.`
  return integer(`--max-${kebabCase(name)} <number>`, text, 1)
}

/** Creates the option of a limit in bytes. */
function size(flags: string, description: string) {
  const units = { KiB: 1_024, MiB: 1_048_576, GiB: 1_024 ** 3 }
  return measure(flags, description, units, 'a size such as 512MiB', units.MiB)
}

/** Creates an option that is one of two words, or a token. */
function permission(flags: string, description: string, word: 'open' | 'own') {
  const isValid = (value: string) => value === word || value === 'off' || isToken(value)
  return secret(flags, description, `${word}, off or ${tokenForm}`, isValid)
}

/** Creates an option with a number and its unit, such as `512MiB`, `1.5GiB` or `15m`. */
function measure(
  flags: string,
  description: string,
  units: Readonly<Record<string, number>>,
  example: string,
  minimum = 0,
) {
  const names = Object.keys(units)
  const wanted = `${example}, in ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  const pattern = new RegExp(`^(\\d{1,6}(?:\\.\\d{1,3})?) ?(${names.join('|')})$`)
  return parsed(flags, description, wanted, (value) => {
    const [, count = '', unit = ''] = pattern.exec(value) ?? []
    const amount = Math.floor(Number(count) * (units[unit] ?? Number.NaN))
    return amount >= minimum ? amount : undefined
  })
}
