import { readFileSync } from 'node:fs'

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }

/** The values in golden files that depend on the machine or the release, and not on the behaviour. */
const machineValues: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['<port>', /(?<=127\.0\.0\.1:|localhost:|\[::1\]:)\d+/g],
  ['<version>', new RegExp(`(?<=petstore-sandbox[ /@-]v?)${escapeDots(version)}`, 'g')],
  ['<node>', new RegExp(escapeDots(process.version), 'g')],
]

/** Replaces the values of this machine with their names. */
export function maskMachineValues(text: string): string {
  return machineValues.reduce((masked, [name, pattern]) => masked.replace(pattern, name), text)
}

function escapeDots(text: string): string {
  return text.replaceAll('.', '\\.')
}
