import { expect, test } from 'vitest'
import { attacks } from '../attacks/table.js'
import { checks } from '../correctness/table.js'
import type { Measurement } from '../measurement.js'
import { findMissedTargets } from '../targets.js'
import { type Figures, toPage } from './page.js'
import { readBefore } from './reporter.js'

const series = { count: 100, failures: 0, reason: '', slowestMs: 12.4, slowestWallMs: 30 }

function toMeasurement(name: string): Measurement {
  return {
    name,
    attempts: 1_500,
    seconds: 4,
    blockMs: 40.2,
    blockWallMs: 61,
    maxResidentMiB: 180.1,
    retainedMiB: 1,
    unrelated: series,
    health: series,
    exits: 0,
    exitReason: '',
    violations: { count: 0, first: [] },
    notes: [`The note of ${name}.`],
    limits: { attempts: 1, healthMs: 100, retainsMiB: 16 },
  }
}

const now: Figures = {
  date: '2026-01-15',
  commit: 'abc1234',
  machine: 'a machine',
  seed: 7,
  measurements: [...attacks, ...checks].map(({ name }) => toMeasurement(name)),
}

test('the page lists the figures of every trial, date, machine, commit and seed', () => {
  const page = toPage(now, readBefore())

  expect(page).toContain('Measured on 2026-01-15 at commit abc1234: a machine.')
  expect(page).toContain('seed 7')
  for (const { name, title } of [...attacks, ...checks]) {
    expect(page).toContain(
      `| ${name} | 1,500 | 40 (61) | 12 (30) | 12 (30) | 180 MiB | 1 MiB more | 0 | 0 |`,
    )
    expect(page).toContain(`${title} The note of ${name}.`)
  }
})

test('the page shows how a process has ended, and the requests that failed', () => {
  const failed = { ...series, failures: 3 }
  const exit = { exits: 1, exitReason: 'SIGABRT FATAL ERROR: heap limit', unrelated: failed }
  const measurements = [{ ...toMeasurement('filled-worlds'), ...exit }]

  const page = toPage({ ...now, measurements }, { ...now, measurements })

  const row =
    '| filled-worlds | 1,500 | 40 (61) | 12 (30), 3 failed | 12 (30) | 180 MiB | 1 MiB more |'
  expect(page).toContain(`${row} 1, out of memory after 4 s | 0 |`)
})

test.for(attacks)(
  'before.json shows that the attack $name harms a server without protections',
  ({ name }) => {
    const found = readBefore().measurements.filter((measurement) => measurement.name === name)

    expect(found).toHaveLength(1)
    expect(found.flatMap(findMissedTargets)).not.toEqual([])
  },
)
