import { describe, expect, test } from 'vitest'
import { type FaultInput, Faults } from '../../src/world/faults/faults.js'
import { Random } from '../../src/world/random.js'

function createFaults(faults: readonly FaultInput[] = [], seed = 1) {
  const random = new Random(seed)
  const created = new Faults(() => random)
  created.set(faults)
  return { faults: created, random }
}

const delay = { type: 'delay', delayMs: 5 } as const
const reset = { type: 'reset' } as const

describe('faults', () => {
  test('strike every operation, or the one that they name', () => {
    const { faults } = createFaults([delay, { ...delay, operation: 'getPet' }])
    expect(faults.take('getPet')).toHaveLength(2)
    expect(faults.take('listOrders')).toEqual([delay])
  })

  test('strike so many times and are gone', () => {
    const { faults } = createFaults([{ ...delay, times: 2 }])
    const struck = Array.from({ length: 4 }, () => faults.take('getPet').length)
    expect(struck).toEqual([1, 1, 0, 0])
    expect(faults.list()).toEqual([])
  })

  test('list says what is left of their times', () => {
    const { faults } = createFaults([{ ...delay, times: 3, operation: 'getPet' }])
    faults.take('getPet')
    faults.take('listOrders')
    expect(faults.list()).toEqual([{ ...delay, times: 2, operation: 'getPet' }])
  })

  test('one that ends the request leaves those behind it for another request', () => {
    const { faults, random } = createFaults([
      { ...reset, times: 1 },
      { ...delay, times: 1, rate: 1 },
    ])
    expect(faults.take('getPet')).toMatchObject([reset])
    expect(random.draws).toBe(0)
    expect(faults.take('getPet')).toMatchObject([delay])
    expect(faults.take('getPet')).toEqual([])
  })

  test('delays and truncations strike together with what comes behind them', () => {
    const { faults } = createFaults([
      delay,
      { type: 'truncate' },
      delay,
      { type: 'status', status: 500 },
    ])
    const types = faults.take('getPet').map(({ type }) => type)
    expect(types).toEqual(['delay', 'truncate', 'delay', 'status'])
  })

  test('a rate draws from the seed of the world, and only at its own operation', () => {
    const { faults, random } = createFaults([{ ...delay, rate: 0.25, operation: 'getPet' }], 11)
    const struck = Array.from({ length: 2_000 }, () => faults.take('getPet').length)
    expect(random.draws).toBe(2_000)
    faults.take('listOrders')
    expect(random.draws).toBe(2_000)
    const count = struck.filter((length) => length === 1).length
    expect(count).toBeGreaterThan(430)
    expect(count).toBeLessThan(570)
    const again = createFaults([{ ...delay, rate: 0.25 }], 11)
    expect(Array.from({ length: 2_000 }, () => again.faults.take('getPet').length)).toEqual(
      struck,
    )
  })

  test('add puts one behind the others, and clear removes all', () => {
    const { faults } = createFaults([delay])
    faults.add({ type: 'truncate' })
    expect(faults.list()).toEqual([delay, { type: 'truncate', share: 0.5 }])
    faults.clear()
    expect(faults.take('getPet')).toEqual([])
  })

  test('what does not fit is refused, and the faults stay as they were', () => {
    const { faults } = createFaults([delay])
    const bad = { type: 'status', status: 200 } as const
    expect(() => faults.set([delay, delay, bad])).toThrow(/status must be/)
    expect(() => faults.add(bad)).toThrow(/status must be/)
    expect(faults.list()).toEqual([delay])
  })
})
