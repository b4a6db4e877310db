import { expect, test } from 'vitest'
import { attacks } from '../attacks/table.js'
import { checks } from '../correctness/table.js'
import { findMissedTargets, type Measurement } from '../targets.js'
import { toPage } from './page.js'
import { readBefore } from './reporter.js'

const series = { count: 100, failures: 0, reason: '', slowestMs: 12.4 }

function toMeasurement(name: string): Measurement {
  return {
    name,
    attempts: 1_500,
    seconds: 4,
    maxResidentMiB: 180.1,
    retainedMiB: 1,
    unrelated: name === 'filled-worlds' ? { ...series, failures: 3 } : series,
    health: series,
    exitReason: name === 'filled-worlds' ? 'SIGABRT FATAL ERROR: heap limit' : '',
    violations: { count: 0, first: [] },
    notes: [`The note of ${name}.`],
    limits: { attempts: 1, healthMs: 100, retainsMiB: 16 },
  }
}

test('the page lists the figures of every trial, date, machine, commit and seed', () => {
  const measurements = [...attacks, ...checks].map(({ name }) => toMeasurement(name))
  const run = { date: '2026-01-15', commit: 'abc1234', machine: 'a machine', seed: 7, measurements }
  const page = toPage(run, readBefore())

  expect(page).toContain('Measured on 2026-01-15 at commit abc1234: a machine.')
  expect(page).toContain('seed 7')
  for (const { name, title } of [...attacks, ...checks]) {
    const isFailed = name === 'filled-worlds'
    const end = isFailed ? '1, out of memory after 4 s' : '0'
    const times = isFailed ? '12, 3 failed | 12' : '12 | 12'
    expect(page).toContain(`| ${name} | 1,500 | ${times} | 180 MiB | 1 MiB more | ${end} | 0 |`)
    expect(page).toContain(`${title} The note of ${name}.`)
  }
})

test.for(attacks)(
  'before.json shows that the attack $name harms a server without protections',
  ({ name }) => {
    const found = readBefore().measurements.filter((measurement) => measurement.name === name)

    expect(found).toHaveLength(1)
    expect(found.flatMap(findMissedTargets)).not.toEqual([])
  },
)
