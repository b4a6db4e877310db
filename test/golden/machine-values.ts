import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }

type MachineValue = readonly [
  name: string,
  pattern: RegExp,
  /** Whether a match is such a value. Default: always. */
  isValue?: (match: string) => boolean,
]

/**
 * The values in golden files that depend on the machine or the release, and not on the behaviour. The
 * patterns match JSON on one line: a quotation mark within a string has a backslash.
 */
const machineValues: readonly MachineValue[] = [
  ['<port>', /(?<=127\.0\.0\.1:|localhost:|\[::1\]:)\d+/g],
  ['<version>', new RegExp(`(?<=petstore-sandbox[ /@-]v?)${escapeDots(version)}`, 'g')],
  ['<node>', new RegExp(escapeDots(process.version), 'g')],
  // The time that a request takes, in a value that is JSON and in a text that contains JSON.
  ['"<ms>"', /(?<="durationMs":)[\d.]+/g],
  ['<ms>', /(?<=\\"durationMs\\":)[\d.]+/g],
  // The Date header of a page, which no world determines.
  ['<now>', /(?<="date":")[^"]+/g, isNow],
  // The hash of a page that contains the port.
  ['<etag>', /(?<="etag":"W\/\\")[^\\"]+/g],
  // Directories that createDirectory of test/cli creates.
  ['<directory>', new RegExp(`${escapeDots(tmpdir())}/petstore-cli-\\w{6}`, 'g')],
  // The random labels of keys, and what replaces listed keys in snapshots.
  ['<random>', /(?<=sbx_\w+_|masked-)[\da-f]{40}\b/g],
  ['<count>', /(?<=_duration_seconds_bucket\{[^}]*le=\\"[\d.]+\\"\} )\d+/g],
  ['<seconds>', /(?<=_duration_seconds_sum\{[^}]*\} )[\d.e-]+/g],
  ['<bytes>', /(?<=petstore_sandbox_memory_(?:use_)?bytes\{[^}]*\} )\d+/g],
  // A connection can close after the response to its request.
  ['<connections>', /(?<=petstore_sandbox_connections )\d+/g],
]

/** Replaces the values of this machine with their names. */
export function maskMachineValues(text: string): string {
  return machineValues.reduce(
    (masked, [name, pattern, isValue = () => true]) =>
      masked.replace(pattern, (match) => (isValue(match) ? name : match)),
    text,
  )
}

function isNow(text: string): boolean {
  return Math.abs(Date.parse(text) - Date.now()) < 600_000
}

function escapeDots(text: string): string {
  return text.replaceAll('.', '\\.')
}
