import { expect, inject, type TestContext, test } from 'vitest'
import { attacks } from './attacks/table.js'
import { checks } from './correctness/table.js'
import { measureTrial } from './measure.js'
import { toRow } from './report/page.js'
import { findMissedTargets, isOnlyLate } from './targets.js'
import type { Trial } from './trial.js'

const run = inject('run')

console.log(`repeat with ABUSE_SEED=${run.seed}`)

test.for(attacks)('the server withstands the attack $name', async (attack, { task }) => {
  expect(await runTrial(attack, task)).toEqual([])
})

test.for(checks)('the server passes the check $name', async (check, { task }) => {
  expect(await runTrial(check, task)).toEqual([])
})

/**
 * How often a trial that misses times only is measured at most, if its figures are not published. A
 * machine that is busy for a moment delays one measurement; a missing protection delays each.
 */
const maximumMeasurements = 3

/** Runs a trial, keeps its figures for the report, and returns the targets that it misses. */
async function runTrial(trial: Trial, task: TestContext['task']): Promise<string[]> {
  let measurement = await measureTrial(trial, run)
  const most = run.isFull ? 1 : maximumMeasurements
  for (let count = 1; count < most && isOnlyLate(measurement); count++) {
    console.log(`${findMissedTargets(measurement).join('; ')}; measured again`)
    measurement = await measureTrial(trial, run)
  }
  task.meta.measurement = measurement
  console.log(toRow(measurement).join(' | '), ...measurement.notes)
  return findMissedTargets(measurement)
}
