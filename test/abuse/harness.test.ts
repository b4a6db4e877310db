import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { attacks } from './attacks/table.js'
import { checks } from './correctness/table.js'
import { measureTrial } from './measure.js'
import { findMissedTargets, isOnlyLate, type Measurement } from './targets.js'
import { addresses, defineTrial, type Trial } from './trial.js'

const handlers = fileURLToPath(new URL('programs/faulty-handlers.js', import.meta.url))
const settings = {
  size: 'small',
  seed: 1,
  attemptsMs: 60_000,
  limitMs: 60_000,
  completeMs: 60_000,
  settleMs: 0,
} as const

const attack = defineTrial({
  name: 'attack',
  title: 'One client sends requests.',
  unit: 'requests',
  attempts: { small: 40, full: 40 },
  async run(context) {
    const client = context.client(addresses.attacker, 'sbx_free_default_attack')
    for (let attempt = 0; attempt < context.attempts; attempt++) {
      await client.send({ path: '/v1/attack' })
      context.count()
    }
  },
})

/** Measures a trial against a server with a fault. */
function measureWith(fault: string, trial: Trial): Promise<Measurement> {
  const server = { args: ['--handlers', handlers], env: { FAULT: fault } }
  return measureTrial({ ...trial, server }, settings)
}

describe('a measurement', () => {
  test('misses no target if the server withstands', async () => {
    const measurement = await measureTrial(attack, settings)

    expect(findMissedTargets(measurement)).toEqual([])
    expect(isOnlyLate(measurement)).toBe(false)
    expect(measurement).toMatchObject({ attempts: 40, exitReason: '' })
    expect(measurement.unrelated.count).toBeGreaterThan(0)
    expect(measurement.maxResidentMiB).toBeGreaterThan(30)
  })

  test('shows that the unrelated client waits for a block of the event loop', async () => {
    const measurement = await measureWith('blocks', { ...attack, attempts: { small: 2, full: 2 } })

    const missed = findMissedTargets(measurement).join('\n')
    expect(missed).toContain('slowest request of the unrelated client in ms: at most 500')
    expect(isOnlyLate(measurement)).toBe(true)
    const violations = { count: 1, first: ['a wrong response'] }
    expect(isOnlyLate({ ...measurement, violations })).toBe(false)
  })

  test('shows memory that the server retains', async () => {
    const measurement = await measureWith('retains', attack)

    expect(measurement.retainedMiB).toBeGreaterThan(39)
    expect(findMissedTargets(measurement).join('\n')).toContain(
      'retained memory in MiB: at most 16',
    )
    expect(isOnlyLate(measurement)).toBe(false)
  })

  test('shows that the process has ended, and how', async () => {
    const measurement = await measureWith('exits', attack)

    expect(measurement.exitReason).toContain('SIGABRT')
    expect(findMissedTargets(measurement).join('\n')).toContain('the server process has ended')
  })

  test('shows a trial that has ended without all of its attempts', async () => {
    const short = { ...attack, attempts: { small: 3, full: 3 }, run: async () => {} }
    const measurement = await measureTrial(short, settings)

    expect(findMissedTargets(measurement)).toEqual(['attempts: at least 3, found 0'])
  })

  test('shows a trial that does not end', async () => {
    const endless = { ...attack, run: () => new Promise<void>(() => {}) }
    const measurement = await measureTrial(endless, { ...settings, limitMs: 500 })

    expect(measurement.violations.first).toEqual(['the trial has not ended after 500 ms'])
  })
})

test.for(checks)('the check $name fails against a server that responds wrongly', async (check) => {
  const attempts = { small: Math.ceil(check.attempts.small / 10), full: 1 }
  const measurement = await measureWith('respondsWrongly', { ...check, attempts })

  expect(measurement.violations.count).toBeGreaterThan(0)
  expect(measurement.violations.first.join('\n')).not.toContain('the trial has failed')
})

// The figures of the build of commit d9a7d05, which had few of the protections.
const { measurements }: { readonly measurements: readonly Measurement[] } = JSON.parse(
  readFileSync(new URL('before.json', import.meta.url), 'utf8'),
)

test.for(attacks)('the attack $name misses a target without the protections', ({ name }) => {
  const found = measurements.filter((measurement) => measurement.name === name)
  expect(found).toHaveLength(1)
  expect(found.flatMap(findMissedTargets)).not.toEqual([])
})
