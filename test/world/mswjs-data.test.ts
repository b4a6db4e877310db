// The package contains a part of @mswjs/data. What it uses of it has the results of the library.
import { createRequire } from 'node:module'
import * as bundle from '@mswjs/data'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'

type Library = Pick<typeof bundle, 'factory' | 'primaryKey'>

/** The installed library. The configuration of the tests replaces only its imports. */
const original: Library = createRequire(import.meta.url)('@mswjs/data')

const id = fc.constantFrom('', '0', '1', '2', '9007199254740993', '__proto__', 'constructor')
const row = fc.record(
  {
    id,
    name: fc.string(),
    quantity: fc.integer(),
    complete: fc.boolean(),
    tags: fc.array(fc.string()),
    unknown: fc.string(),
  },
  { requiredKeys: ['id'] },
)
const calls = fc.array(
  fc.oneof(
    fc.record({ create: row }),
    fc.record({ delete: fc.array(id) }),
    fc.record({ set: row }),
  ),
)

/** Makes the calls that the database of a world makes. Returns what they return or throw. */
function run(
  { factory, primaryKey }: Library,
  steps: typeof calls extends fc.Arbitrary<infer T> ? T : never,
) {
  const fields = { name: String, quantity: Number, complete: Boolean, tags: Array }
  const { pets } = factory({ pets: { id: primaryKey(String), ...fields } })
  const entities = new Map<string, object>()
  const results = steps.map((step): unknown => {
    try {
      if ('delete' in step) return pets.deleteMany({ where: { id: { in: step.delete } } })
      const values = 'create' in step ? step.create : step.set
      const entity = entities.get(values.id)
      if ('set' in step) return entity && { ...Object.assign(entity, values) }
      const created = pets.create(values as Parameters<typeof pets.create>[0])
      entities.set(values.id, created)
      return { ...created }
    } catch (error) {
      return String(error)
    }
  })
  // Without the internal fields, whose names are symbols of each copy of the library.
  return JSON.parse(JSON.stringify([results, pets.count(), pets.getAll()]))
}

test('the bundle has the results and errors of the published library', () => {
  fc.assert(
    fc.property(calls, (steps) => {
      expect(run(bundle, steps)).toEqual(run(original, steps))
    }),
  )
})

test('in a page, the bundle does not repeat writes in other tabs', () => {
  let opened = 0
  class Channel extends EventTarget {
    constructor() {
      super()
      opened += 1
    }
    postMessage() {}
  }
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('BroadcastChannel', Channel)
  onTestFinished(() => void vi.unstubAllGlobals())
  run(bundle, [{ create: { id: '1' } }])
  expect(opened).toBe(0)
  run(original, [{ create: { id: '1' } }])
  expect(opened).toBe(1)
})
