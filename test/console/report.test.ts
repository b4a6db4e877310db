import { expect, test } from 'vitest'
import type { Overview } from '../../src/console/control-types.js'
import { findSetup, toGrid } from '../../src/console/report/coverage-card.js'
import { CoverageCounter } from '../../src/report/coverage.js'

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
