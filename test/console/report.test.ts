import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Overview } from '../../src/console/control-types.js'
import { toGrid } from '../../src/console/report/grid.js'
import { minimumPauseMs, PacedLoader } from '../../src/console/report/paced-loader.js'
import { findSetup } from '../../src/console/report/setup.js'
import { CoverageCounter } from '../../src/report/coverage.js'

describe('a paced loader', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A loader whose loads take one second each, and resolve with the pause. */
  function createLoader(pauseMs = 0) {
    let active = 0
    const seen = { loads: 0, most: 0 }
    const load = async () => {
      active += 1
      seen.loads += 1
      seen.most = Math.max(seen.most, active)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      active -= 1
      return pauseMs
    }
    return { seen, load, loader: new PacedLoader(load) }
  }

  /** Calls a function 100 times a second, for 7.9 seconds. */
  async function repeat(run: () => void): Promise<void> {
    for (let count = 0; count < 790; count += 1) {
      run()
      await vi.advanceTimersByTimeAsync(10)
    }
  }

  test('has one load at a time and pauses after each, unlike loading at each change', async () => {
    const paced = createLoader()
    await repeat(() => paced.loader.request())
    expect(paced.seen).toEqual({ loads: 2, most: 1 })
    paced.loader.stop()

    const naive = createLoader()
    await repeat(() => void naive.load())
    expect(naive.seen).toEqual({ loads: 790, most: 100 })
  })

  test('loads the latest state after the pause, and then nothing', async () => {
    const { seen, loader } = createLoader()
    loader.request()
    loader.request()
    await vi.advanceTimersByTimeAsync(1_000 + minimumPauseMs - 1)
    expect(seen.loads).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.loads).toBe(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen.loads).toBe(2)
  })

  test('pauses as long as the load asks for', async () => {
    const { seen, loader } = createLoader(10_000)
    loader.request()
    loader.request()
    await vi.advanceTimersByTimeAsync(10_999)
    expect(seen.loads).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.loads).toBe(2)
  })

  test('waits while it is held, and does nothing when it is stopped', async () => {
    const { seen, loader } = createLoader()
    loader.hold(true)
    loader.request()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen.loads).toBe(0)
    loader.hold(false)
    expect(seen.loads).toBe(1)
    loader.request()
    loader.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(seen.loads).toBe(1)
  })

  test('tries again after a failure', async () => {
    let attempts = 0
    const loader = new PacedLoader(async () => {
      attempts += 1
      if (attempts === 1) throw new Error('unreachable')
      return 0
    })
    loader.request()
    await vi.advanceTimersByTimeAsync(minimumPauseMs)
    expect(attempts).toBe(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(attempts).toBe(2)
  })
})

const { cells } = new CoverageCounter(202).toCoverage()

test('the grid has each combination once, success first, then by status', () => {
  const { operations, rows } = toGrid(cells)
  const found = rows.flatMap((row) => operations.flatMap((name) => row.cells.get(name) ?? []))
  expect(found).toHaveLength(cells.length)
  expect(new Set(found)).toEqual(new Set(cells))
  expect(rows.map(({ status, state }) => `${status} ${state}`.trim())).toEqual([
    '2xx requests left',
    '2xx last request',
    '2xx after the sunset',
    '400',
    '401',
    '404',
    '410 after the sunset',
    '413',
    '415',
    '429 exhausted',
    '429 banned',
    '500',
  ])
})

test.each([
  ['gone', 200],
  ['serve', 410],
] as const)(
  'every combination that needs preparation has a step with afterSunset %s, except %i after the sunset',
  (afterSunset, status) => {
    const dates = { deprecatedAt: '2026-01-01T00:00:00Z', sunsetAt: '2026-04-01T00:00:00Z' }
    const deprecation: Overview['deprecation'] = { ...dates, afterSunset }
    const without = cells.filter((cell) => !findSetup(cell, { deprecation }))
    const isPlain = ({ status, limiter, sunset }: (typeof cells)[number]) =>
      status < 400 && limiter === 'fresh' && sunset !== 'after'
    expect(without.filter((cell) => !isPlain(cell))).toEqual([
      expect.objectContaining({ operation: 'getPet', status, sunset: 'after' }),
    ])
  },
)
