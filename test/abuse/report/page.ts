import { attacks } from '../attacks/table.js'
import { checks } from '../correctness/table.js'
import { type Measurement, type Series, targets } from '../targets.js'
import type { Trial } from '../trial.js'

/** The figures of one run. */
export interface Figures {
  /** ISO 8601 date. */
  readonly date: string
  readonly commit: string
  readonly machine: string
  readonly seed: number
  readonly measurements: readonly Measurement[]
}

/** Returns docs/reliability.md. */
export function toPage(now: Figures, before: Figures): string {
  return `# Reliability

\`npm run abuse\` attacks the server and writes this page. \`npm run test:abuse\` runs the same trials with smaller counts; it is part of \`.ci/run\`.

Measured on ${now.date} at commit ${now.commit}: ${now.machine}. Random values have the seed ${now.seed}; \`ABUSE_SEED\` sets another one.

Each trial starts a server of its own with \`--max-old-space-size=256\`. The attackers, an unrelated client and the health checks use different loopback addresses. The unrelated client has its own key and sends a request every few milliseconds, some of them on new connections. Targets of every trial:

- The process does not end.
- Every request of the unrelated client succeeds within ${targets.unrelatedMs} ms, also while an attack occupies the event loop. Every health check succeeds, too; within 100 ms in the trials with open connections.
- The resident memory is at most ${targets.maxResidentMiB} MiB. Afterwards, a garbage collection leaves at most ${targets.retainsMiB} MiB more in use than before; ${targets.retainsWithWorldsMiB} MiB in a trial that leaves worlds, which may use up the memory budget.

Attacker, server and clients share the processors of one machine. Therefore the time of a request does not include the time in which the server or the client waited for a processor. All times are in milliseconds.

## Attacks

${toTable(now, attacks)}

## The same attacks without the protections

Measured on ${before.date} with the build of commit ${before.commit}, which had few of these protections, and with the smaller counts of \`npm run test:abuse\`: ${before.machine}. An attack stops when the process ends.

${toTable(before, attacks)}

## Correctness

The results are checked in addition to the targets above. A violation is a result that must not occur.

${toTable(now, checks)}

## What the trials do

${[...attacks, ...checks].map((trial) => describeTrial(trial, now, before)).join('\n')}
`
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

function toTable({ measurements }: Figures, trials: readonly Trial[]): string {
  const rows = trials.flatMap((trial) => {
    const found = measurements.find(({ name }) => name === trial.name)
    return found ? [toRow(found)] : []
  })
  const lines = [columns, columns.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Returns the cells of a measurement. */
export function toRow(measurement: Measurement): string[] {
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

/** Describes a trial, with its results now and before. */
function describeTrial({ name, title, unit }: Trial, now: Figures, before: Figures): string {
  const notes = ({ measurements }: Figures) =>
    measurements.find((measurement) => measurement.name === name)?.notes.join(' ') ?? ''
  const result = notes(now)
  const earlier = notes(before)
  const results = [
    ...(result ? [` ${result}`] : []),
    ...(earlier && earlier !== result ? [` Without the protections: ${earlier}`] : []),
  ]
  return `- **${name}** (attempts: ${unit}). ${title}${results.join('')}`
}

function toCount(value: number): string {
  return Math.round(value).toLocaleString('en')
}
