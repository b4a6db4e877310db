import type { Measurement, Series } from './targets.js'
import type { Trial } from './trial.js'

/** Prints the results of a run as the tables of docs/reliability.md show them. */
export function toTable(measurements: readonly Measurement[]): string {
  const rows = measurements.map(toRow)
  const lines = [columns, columns.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Describes a trial, with its results. */
export function describeTrial({ name, title, unit }: Trial, { notes }: Measurement): string {
  return [`- **${name}** (attempts: ${unit}). ${title}`, ...notes].join(' ')
}

const columns = [
  'trial',
  'attempts',
  'slowest unrelated request',
  'slowest health check',
  'largest resident memory',
  'memory in use afterwards',
  'exits',
  'violations',
]

/** Returns the cells of a measurement. */
function toRow(measurement: Measurement): string[] {
  const { name, attempts, unrelated, health, maxResidentMiB, retainedMiB } = measurement
  return [
    name,
    toCount(attempts),
    toTime(unrelated),
    toTime(health),
    `${toCount(maxResidentMiB)} MiB`,
    retainedMiB === undefined ? '–' : `${toCount(Math.max(0, retainedMiB))} MiB more`,
    toExits(measurement),
    toCount(measurement.violations.count),
  ]
}

function toTime({ slowestMs, failures }: Series): string {
  return `${toCount(slowestMs)}${failures > 0 ? `, ${toCount(failures)} failed` : ''}`
}

function toExits({ exitReason, seconds }: Measurement): string {
  if (exitReason === '') return '0'
  const reason = exitReason.includes('heap') ? 'out of memory' : exitReason
  return `1, ${reason} after ${Math.round(seconds)} s`
}

function toCount(value: number): string {
  return Math.round(value).toLocaleString('en')
}
