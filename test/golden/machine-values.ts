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
  // Ports that the system chooses have five digits; 4010 is the default of the server.
  ['<port>', /(?<=127\.0\.0\.1:|localhost:|\[::1\]:)\d{5}\b/g],
  ['<version>', new RegExp(`(?<=petstore-sandbox[ /@-]v?)${escapeDots(version)}`, 'g')],
  // In the overview of a world, and of --version. Documents have a version of their own.
  [
    '<version>',
    new RegExp(
      `(?<="version":")${escapeDots(version)}(?=","store":"\\w+","startedAt":"2026-01-15T09:00:00.250Z")`,
      'g',
    ),
  ],
  ['<version>', new RegExp(`(?<="stdout":\\[")${escapeDots(version)}(?=",""\\])`, 'g')],
  [
    '<version>',
    new RegExp(`(?<="scenario": ?"[^"]*",\\s*"version": ?")${escapeDots(version)}`, 'g'),
  ],
  ['<node>', new RegExp(escapeDots(process.version), 'g')],
  // The time that a request takes, in a value that is JSON and in a text that contains JSON.
  ['"<ms>"', /(?<="durationMs":)[\d.]+/g],
  ['<ms>', /(?<=\\"durationMs\\":)[\d.]+/g],
  // The duration and the local time of a line in the log of a server.
  ['<ms>', /(?<= {2}(?:\\u001b\[2m)?)\d+\.\d(?= ms)/g],
  ['<time>', /(?<="(?:\\u001b\[2m)?)\d\d:\d\d:\d\d(?=(?:\\u001b\[22m)? {2})/g],
  ['<now>', /(?<="time":")[^"]+/g, isNow],
  // The Date header of a page, which no world determines.
  ['<now>', /(?<="date":")[^"]+/g, isNow],
  // The hash of a page that contains the port.
  ['<etag>', /(?<="etag":"W\/\\")[^\\"]+/g],
  // The directory of this repository.
  ['<root>', new RegExp(escapeDots(process.cwd()), 'g')],
  // Directories that createDirectory of test/cli creates.
  ['<directory>', new RegExp(`${escapeDots(tmpdir())}/petstore-cli-\\w{6}`, 'g')],
  // The random labels of keys, and what replaces listed keys in snapshots.
  ['<random>', /(?<=sbx_[\w-]+_|masked-)[\da-f]{40}\b/g],
  // Ids of requests without a journal entry begin with random digits in `serve`.
  ['<random>-<n>', /\b[\da-f]{8}-\d+(?=\\?"|\b)/g],
  ['<count>', /(?<=_duration_seconds_bucket\{[^}]*le=\\"[\d.]+\\"\} )\d+/g],
  ['<seconds>', /(?<=_duration_seconds_sum\{[^}]*\} )[\d.e-]+/g],
  ['<bytes>', /(?<=petstore_sandbox_world_bytes )\d+/g],
  // Newer versions of Node add the position to what JSON.parse finds.
  ['', / \(line \d+ column \d+\)/g],
  // The rest of a minute of real time.
  ['<seconds>', /(?<="retry-after":")\d{1,2}(?="[^}]*\}[^}]*per minute and client)/g],
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
