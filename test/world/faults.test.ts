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
  test('apply to every operation, or to the one that they name', () => {
    const { faults } = createFaults([delay, { ...delay, operation: 'getPet' }])
    expect(faults.strike('getPet')).toHaveLength(2)
    expect(faults.strike('listOrders')).toEqual([delay])
  })

  test('are removed after the given number of times', () => {
    const { faults } = createFaults([{ ...delay, times: 2 }])
    const struck = Array.from({ length: 4 }, () => faults.strike('getPet').length)
    expect(struck).toEqual([1, 1, 0, 0])
    expect(faults.list()).toEqual([])
  })

  test('list returns the remaining times', () => {
    const { faults } = createFaults([{ ...delay, times: 3, operation: 'getPet' }])
    faults.strike('getPet')
    faults.strike('listOrders')
    expect(faults.list()).toEqual([{ ...delay, times: 2, operation: 'getPet' }])
  })

  test('a fault that ends the request leaves later faults for the next request', () => {
    const { faults, random } = createFaults([
      { ...reset, times: 1 },
      { ...delay, times: 1, rate: 1 },
    ])
    expect(faults.strike('getPet')).toMatchObject([reset])
    expect(random.draws).toBe(0)
    expect(faults.strike('getPet')).toMatchObject([delay])
    expect(faults.strike('getPet')).toEqual([])
  })

  test('delays and truncations combine with later faults', () => {
    const { faults } = createFaults([
      delay,
      { type: 'truncate' },
      delay,
      { type: 'status', status: 500 },
    ])
    const types = faults.strike('getPet').map(({ type }) => type)
    expect(types).toEqual(['delay', 'truncate', 'delay', 'status'])
  })

  test('a rate draws from the random numbers of the world, for its own operation only', () => {
    const { faults, random } = createFaults([{ ...delay, rate: 0.25, operation: 'getPet' }], 11)
    const struck = Array.from({ length: 2_000 }, () => faults.strike('getPet').length)
    expect(random.draws).toBe(2_000)
    faults.strike('listOrders')
    expect(random.draws).toBe(2_000)
    const count = struck.filter((length) => length === 1).length
    expect(count).toBeGreaterThan(430)
    expect(count).toBeLessThan(570)
    const again = createFaults([{ ...delay, rate: 0.25 }], 11)
    expect(Array.from({ length: 2_000 }, () => again.faults.strike('getPet').length)).toEqual(
      struck,
    )
  })

  test('add appends a fault, and clear removes all', () => {
    const { faults } = createFaults([delay])
    faults.add({ type: 'truncate' })
    expect(faults.list()).toEqual([delay, { type: 'truncate', share: 0.5 }])
    faults.clear()
    expect(faults.strike('getPet')).toEqual([])
  })

  test('rejects an invalid fault and keeps the existing ones', () => {
    const { faults } = createFaults([delay])
    const bad = { type: 'status', status: 200 } as const
    expect(() => faults.set([delay, delay, bad])).toThrow(/status must be/)
    expect(() => faults.add(bad)).toThrow(/status must be/)
    expect(faults.list()).toEqual([delay])
  })
})
