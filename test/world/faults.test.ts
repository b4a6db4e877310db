import { describe, expect, test } from 'vitest'
import { toControlOpenApi } from '../../src/openapi/control.js'
import {
  describeFault,
  type FaultInput,
  Faults,
  faultKinds,
  faultSchema,
} from '../../src/world/faults/faults.js'
import { Random } from '../../src/world/random.js'

function createFaults(faults: readonly FaultInput[] = [], seed = 1) {
  const random = new Random(seed)
  const created = new Faults(() => random)
  created.set(faults)
  return { faults: created, random }
}

const delay = { type: 'delay', delayMs: 5 } as const
const reset = { type: 'reset' } as const

describe('Faults', () => {
  test('take returns the faults of every operation and those of the given one', () => {
    const { faults } = createFaults([delay, { ...delay, operation: 'getPet' }])
    expect(faults.take('getPet')).toHaveLength(2)
    expect(faults.take('listOrders')).toEqual([delay])
  })

  test('take returns a fault as many times as it states, then removes it', () => {
    const { faults } = createFaults([{ ...delay, times: 2 }])
    const taken = Array.from({ length: 4 }, () => faults.take('getPet').length)
    expect(taken).toEqual([1, 1, 0, 0])
    expect(faults.list()).toEqual([])
    expect(faults.size).toBe(0)
  })

  test('list returns the remaining uses', () => {
    const { faults } = createFaults([{ ...delay, times: 3, operation: 'getPet' }])
    faults.take('getPet')
    faults.take('listOrders')
    expect(faults.list()).toEqual([{ ...delay, times: 2, operation: 'getPet' }])
  })

  test('take stops at the first fault that replaces the response', () => {
    const { faults, random } = createFaults([
      { ...reset, times: 1 },
      { ...delay, times: 1, rate: 1 },
    ])
    expect(faults.take('getPet')).toMatchObject([reset])
    expect(random.draws).toBe(0)
    expect(faults.take('getPet')).toMatchObject([delay])
    expect(faults.take('getPet')).toEqual([])
  })

  test('take combines delays and truncations with the faults after them', () => {
    const { faults } = createFaults([
      delay,
      { type: 'truncate' },
      delay,
      { type: 'status', status: 500 },
    ])
    const types = faults.take('getPet').map(({ type }) => type)
    expect(types).toEqual(['delay', 'truncate', 'delay', 'status'])
  })

  test('a rate draws from the seed of the world, and only for its operation', () => {
    const { faults, random } = createFaults([{ ...delay, rate: 0.25, operation: 'getPet' }], 11)
    const taken = Array.from({ length: 2_000 }, () => faults.take('getPet').length)
    expect(random.draws).toBe(2_000)
    faults.take('listOrders')
    expect(random.draws).toBe(2_000)
    const count = taken.filter((length) => length === 1).length
    expect(count).toBeGreaterThan(430)
    expect(count).toBeLessThan(570)
    const again = createFaults([{ ...delay, rate: 0.25 }], 11)
    expect(Array.from({ length: 2_000 }, () => again.faults.take('getPet').length)).toEqual(taken)
  })

  test('add appends a fault, and clear removes all', () => {
    const { faults } = createFaults([delay])
    faults.add({ type: 'truncate' })
    expect(faults.list()).toEqual([delay, { type: 'truncate', share: 0.5 }])
    faults.clear()
    expect(faults.take('getPet')).toEqual([])
  })

  test('set and add reject an invalid fault and change nothing', () => {
    const { faults } = createFaults([delay])
    const invalid = { type: 'status', status: 200 } as const
    expect(() => faults.set([delay, delay, invalid])).toThrow(/status must be/)
    expect(() => faults.add(invalid)).toThrow(/status must be/)
    expect(faults.list()).toEqual([delay])
  })

  test('add rejects the 101st fault with sandbox_capacity and changes nothing', () => {
    const { faults } = createFaults(Array(99).fill(delay))
    faults.add(reset)
    expect(faults.size).toBe(100)
    expect(() => faults.add(reset)).toThrow(expect.objectContaining({ code: 'sandbox_capacity' }))
    expect(faults.size).toBe(100)
  })
})

describe('describeFault', () => {
  test.each<[FaultInput, string]>([
    [delay, 'every operation waits 5 ms'],
    [{ ...reset, operation: 'getPet' }, 'getPet resets the connection'],
    [
      { type: 'truncate', share: 0.25, rate: 0.2 },
      'every operation truncates the body after 25 %, for 20 % of requests',
    ],
    [
      { type: 'status', status: 503, code: 'maintenance', times: 1 },
      'every operation responds with 503 maintenance, 1 use left',
    ],
    [{ ...delay, times: 3 }, 'every operation waits 5 ms, 3 uses left'],
  ])('describes %j', (fault, text) => {
    expect(describeFault(faultSchema().parse(fault))).toBe(text)
  })
})

describe.each(Object.entries(faultKinds))('the fault kind %s', (type, kind) => {
  const { title, description, example } = kind

  test('has a title and a description', () => {
    expect(title).toMatch(/^[A-Z].*[^.]$/)
    expect(description).toMatch(/^[A-Z].*\.$/)
  })

  test('has an example that the schema of faults accepts', () => {
    const fault = faultSchema().parse({ type, ...example })
    expect(fault).toMatchObject({ type, ...example })
    expect(kind.summarize(fault)).toMatch(/^[a-z].*[^.]$/)
  })

  test('has an effect', () => {
    expect([kind.delayMs, kind.respond, kind.truncate].some(Boolean)).toBe(true)
  })

  test('is a variant of the Fault component in the document of the control API', () => {
    const { oneOf = [], anyOf = [] } = toControlOpenApi().components.schemas.Fault ?? {}
    const variants = [...oneOf, ...anyOf].filter((variant) => typeof variant === 'object')
    expect(variants).toHaveLength(Object.keys(faultKinds).length)
    const variant = variants.find((candidate) => candidate.title === title)
    expect(variant).toMatchObject({ description, properties: { type: { const: type } } })
    const fields = ['type', ...Object.keys(kind.fields()), 'operation', 'rate', 'times']
    expect(Object.keys(variant?.properties ?? {}).toSorted()).toEqual(fields.toSorted())
  })
})
