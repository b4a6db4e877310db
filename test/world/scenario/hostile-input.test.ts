import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { ScenarioError } from '../../../src/world/scenario/error.js'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { readScenario } from '../../../src/world/scenario/read.js'
import { scenarioSchema } from '../../../src/world/scenario/schema.js'
import { readScenarioError } from './support.js'

function nest(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

/** Creates 40 nested objects that each refer to the previous one twice: 2^40 values. */
function createBomb(): unknown {
  let value: unknown = 1
  for (let level = 0; level < 40; level++) value = { left: value, right: value }
  return value
}

function createCycle(): unknown {
  const cycle: unknown[] = []
  cycle.push(cycle)
  return cycle
}

const properties = Object.getOwnPropertyNames(Object.prototype)
afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(properties)
})

describe('readScenario rejects', () => {
  const pets = (extra: unknown) => ({ name: 'mine', pets: [{ petId: 1, name: 'Bella', extra }] })
  test.each<[what: string, value: unknown, reason: string]>([
    ['undefined', undefined, 'the scenario must be JSON data, found undefined'],
    ['100,000 levels of nesting', pets(nest(100_000)), 'at most 64 levels of nesting'],
    ['a cycle', pets(createCycle()), 'at most 64 levels of nesting'],
    [
      '2^40 values from shared references',
      pets(createBomb()),
      'pets[0] must be at most 20000 values',
    ],
    [
      'an array of a million entries',
      { name: 'mine', pets: Array(1_000_000).fill({}) },
      'pets must be an array of at most 20000 entries, found an array of 1000000',
    ],
    [
      'a sparse array of 2^32-1 entries',
      pets(Array(2 ** 32 - 1)),
      'pets[0].extra must be an array of at most 20000 entries',
    ],
    ['a function', pets(() => 1), 'pets[0].extra must be JSON data'],
    ['a bigint', pets(1n), 'pets[0].extra must be JSON data'],
    ['a date', pets(new Date(0)), 'pets[0].extra must be JSON data'],
    ['an infinite number', pets(Infinity), 'pets[0].extra must be JSON data'],
    [
      '__proto__ in a pet',
      JSON.parse('{"name":"mine","pets":[{"petId":1,"name":"a","__proto__":{"x":1}}]}'),
      'pets[0].__proto__ must be another name',
    ],
    [
      '__proto__ in quota',
      JSON.parse('{"name":"mine","quota":{"__proto__":{}}}'),
      'quota.__proto__ must be another name',
    ],
    [
      'constructor as a field',
      { name: 'mine', constructor: { prototype: { x: 1 } } },
      'constructor is not a known field',
    ],
  ])('%s', async (_, value, reason) => {
    const message = await readScenarioError(() => readScenario(value, 'hostile.json'))
    expect(message).toContain('hostile.json: ')
    expect(message).toContain(reason)
    expect(message.length).toBeLessThan(3_000)
  })

  test('prepare rejects quota for a name inherited from Object.prototype', async () => {
    const scenario = { name: 'mine', quota: { toString: {} } }
    const message = await readScenarioError(() => new ScenarioLibrary().prepare(scenario))
    expect(message).toContain('quota.toString is not a known name')
  })

  test('prepare rejects scenario names inherited from Object.prototype, and very long ones', async () => {
    const library = new ScenarioLibrary()
    for (const name of ['constructor', '__proto__', 'x'.repeat(1_000_000)]) {
      const message = await readScenarioError(() => library.prepare(name))
      expect(message).toContain('must be the name of a known scenario')
      expect(message.length).toBeLessThan(500)
    }
  })
})

test('prepare accepts any value for any field or throws a ScenarioError', async () => {
  const library = new ScenarioLibrary()
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
  })
  const keys = Object.keys(scenarioSchema.shape)
  const scenario = fc.dictionary(fc.constantFrom(...keys), fc.oneof(fc.jsonValue(), anything))
  await fc.assert(
    fc.asyncProperty(scenario, fc.boolean(), async (parts, isNamed) => {
      // The input deliberately violates the type.
      const value = (isNamed ? { ...parts, name: 'mine' } : parts) as { name: string }
      const outcome = await library.prepare(value).catch((error: unknown) => error)
      expect(outcome instanceof ScenarioError || Object.hasOwn(Object(outcome), 'scenario')).toBe(
        true,
      )
    }),
    { numRuns: 500 },
  )
})
