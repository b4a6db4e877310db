import { describe, expect, test } from 'vitest'
import { Clock, toMilliseconds } from '../../src/world/clock.js'

const start = Date.UTC(2026, 0, 15, 9)

/** Creates a clock whose real time the test controls. */
function createClock() {
  const real = { now: start }
  return { real, clock: new Clock(() => real.now) }
}

describe('clock', () => {
  test('moves to a time, forwards and back, and keeps running', () => {
    const { clock, real } = createClock()
    for (const to of ['2030-06-01T00:00:00Z', new Date('2030-06-01'), Date.UTC(2030, 5, 1)]) {
      clock.set(to)
      expect(clock.now()).toBe(Date.UTC(2030, 5, 1))
    }
    clock.set('2001-01-01T00:00:00+02:00')
    real.now += 10
    expect(clock.now()).toBe(Date.UTC(2000, 11, 31, 22) + 10)
  })

  test('reads the real time once when it starts, freezes or advances', () => {
    let realMs = start
    const clock = new Clock(() => realMs++)
    expect(clock.start({ frozen: true })).toBe(start)
    expect(clock.now()).toBe(start)
    expect(clock.start({ now: '2026-02-01T00:00:00Z', frozen: true })).toBe(Date.UTC(2026, 1, 1))
    expect(clock.now()).toBe(Date.UTC(2026, 1, 1))

    realMs = start
    clock.start({})
    clock.freeze()
    expect(clock.now()).toBe(start + 1)

    realMs = start
    clock.start({})
    clock.advance(1_000)
    expect(clock.now()).toBe(start + 1_002)
  })

  test('reports each move to an earlier time', () => {
    const { clock, real } = createClock()
    const moves: number[] = []
    const observed = new Clock(clock.realNow, () => moves.push(observed.now() - start))
    observed.advance(5)
    observed.advance(-15)
    observed.freeze(start - 20)
    observed.set(start - 30)
    observed.set(start)
    observed.freeze()
    observed.run()
    expect(moves).toEqual([-10, -20, -30])
    expect(real.now).toBe(start)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, 'tomorrow', '', new Date('x')])(
    'rejects the time %s and keeps its time',
    (value) => {
      const { clock } = createClock()
      expect(() => clock.set(value)).toThrow(RangeError)
      expect(() => clock.freeze(value)).toThrow(RangeError)
      expect([clock.now(), clock.isFrozen]).toEqual([start, false])
    },
  )

  test('stops at the end of the year 8999, and can then be moved, frozen and started', () => {
    const { clock, real } = createClock()
    const latest = Date.UTC(9000, 0) - 1
    clock.set(latest - 1_000)
    real.now += 60_000
    expect(clock.now()).toBe(latest)
    clock.advance(0)
    clock.freeze()
    expect(clock.now()).toBe(latest)
    clock.run()
    real.now += 60_000
    expect(clock.now()).toBe(latest)
    clock.advance(-5_000)
    expect(clock.now()).toBe(latest - 5_000)
    const copy = new Clock(() => real.now)
    copy.restore({ offsetMs: latest - real.now + 1 })
    expect(copy.now()).toBe(latest)
    copy.notBefore(latest + 5_000)
    expect(copy.now()).toBe(latest)
  })

  test('rejects a duration that ends past the year 8999', () => {
    const { clock } = createClock()
    expect(() => clock.advance(8.64e15)).toThrow(RangeError)
    expect(() => clock.advance('P99999999999W')).toThrow(RangeError)
    expect(clock.now()).toBe(start)
  })
})

describe('durations', () => {
  test.each([
    [0, 0],
    [1.5, 1.5],
    [-20, -20],
    ['PT90S', 90_000],
    ['PT0.25S', 250],
    ['PT1H1M1S', 3_661_000],
    ['P1D', 86_400_000],
    ['P2W', 1_209_600_000],
    ['P1W1DT1H', 694_800_000],
    ['-P30D', -2_592_000_000],
    ['-PT0S', -0],
  ])('%s is %d milliseconds', (duration, milliseconds) => {
    expect(toMilliseconds(duration)).toBe(milliseconds)
  })

  test.each([
    'P',
    'PT',
    'P1DT',
    'P1M',
    'P1Y',
    'PT1.5H',
    'PT-5S',
    '1D',
    'p1d',
    ' P1D',
    '90',
    '',
    'PT1S1M',
    Number.NaN,
    Number.NEGATIVE_INFINITY,
  ])('rejects %s', (duration) => {
    expect(() => toMilliseconds(duration)).toThrow(/a duration must be milliseconds or an ISO 8601/)
  })
})
