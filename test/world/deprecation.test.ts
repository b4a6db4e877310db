import { describe, expect, test } from 'vitest'
import { toDeprecationHeaders } from '../../src/engine/response.js'
import { createDeprecation, isSunsetTooEarly } from '../../src/world/deprecation.js'

const startMs = Date.UTC(2026, 0, 15, 9, 30)
const settings = { link: '/#getPet', afterSunset: 'gone' } as const

describe('createDeprecation', () => {
  test('resolves durations from the start, whole days from midnight UTC', () => {
    const dates = { deprecatedAt: '-P30D', sunsetAt: 'PT1H' }
    const deprecation = createDeprecation({ ...settings, ...dates }, startMs)
    const { deprecatedAtMs, sunsetAtMs } = deprecation
    expect(deprecatedAtMs).toBe(Date.UTC(2025, 11, 16))
    expect(sunsetAtMs).toBe(Date.UTC(2026, 0, 15, 10, 30))
    expect(toDeprecationHeaders(deprecation).slice(0, 4)).toEqual([
      'Deprecation',
      '@1765843200',
      'Sunset',
      'Thu, 15 Jan 2026 10:30:00 GMT',
    ])
  })

  test('never deprecates later than the sunset', () => {
    const dates = { deprecatedAt: '-P30D', sunsetAt: '2025-01-01T00:00:00Z' }
    const { deprecatedAtMs, sunsetAtMs } = createDeprecation({ ...settings, ...dates }, startMs)
    expect(deprecatedAtMs).toBe(sunsetAtMs)
  })
})

test.each([
  ['/#getPet', 'https://sandbox.example/#getPet'],
  ['//docs.example/x', '//docs.example/x'],
  ['https://docs.example/x', 'https://docs.example/x'],
])('the link %s of a sandbox at a URL is %s', (link, target) => {
  const dates = { deprecatedAt: '-P30D', sunsetAt: 'PT1H' }
  const deprecation = createDeprecation({ ...settings, ...dates, link }, startMs)
  const [, value] = toDeprecationHeaders(deprecation, 'https://sandbox.example').slice(4)
  expect(value).toBe(`<${target}>; rel="deprecation"; type="text/html"`)
})

test.each([
  ['2026-02-01T00:00:00Z', '2026-01-31T00:00:00Z', undefined, true],
  ['2026-02-01T00:00:00Z', '2026-02-01T00:00:00Z', undefined, false],
  ['P2D', 'P1D', undefined, true],
  ['P1D', 'P1D', undefined, false],
  ['-P30D', '2025-01-01T00:00:00Z', undefined, false],
  ['-P30D', '2025-01-01T00:00:00Z', startMs, true],
  ['2026-02-01T00:00:00Z', 'P1D', startMs, true],
  ['2026-02-01T00:00:00Z', 'P30D', startMs, false],
])(
  'isSunsetTooEarly of %s and %s with the start %s is %s',
  (deprecatedAt, sunsetAt, start, expected) => {
    expect(isSunsetTooEarly({ ...settings, deprecatedAt, sunsetAt }, start)).toBe(expected)
  },
)
