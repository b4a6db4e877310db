import { describe, expect, test } from 'vitest'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import type { Scenario } from '../../../src/world/scenario/schema.js'
import { readScenarioError, recordsOf } from './support.js'

/** Creates a library with the given scenarios by name. */
function createLibrary(scenarios: Record<string, Omit<Scenario, 'name'>>): ScenarioLibrary {
  const library = new ScenarioLibrary()
  for (const [name, parts] of Object.entries(scenarios)) {
    library.add({ name, ...parts }, `${name}.json`)
  }
  return library
}

const bella = { petId: 1, name: 'Bella' }
const milo = { petId: 2, name: 'Milo' }

describe('extends', () => {
  test('merges objects key by key, and values of the child win', async () => {
    const library = createLibrary({
      parent: {
        seed: 5,
        clock: { now: '2026-01-01T00:00:00Z', frozen: true },
        plans: { free: { requestsPerMinute: 10, requestsPerDay: 20 } },
        rules: { quantity: { minimum: 1, maximum: 9 }, messageStatus: 202 },
      },
      child: {
        extends: 'parent',
        clock: { frozen: false },
        plans: { free: { requestsPerDay: 30 } },
        rules: { quantity: { maximum: 7 } },
      },
    })
    expect(await library.prepare('child')).toMatchObject({
      scenario: 'child',
      seed: 5,
      clock: { now: '2026-01-01T00:00:00Z', frozen: false },
      plans: { free: { requestsPerMinute: 10, requestsPerDay: 30 } },
      rules: {
        quantity: { minimum: 1, maximum: 7 },
        messageStatus: 202,
        additionalFields: 'reject',
        inventoryUpdate: 'current',
      },
    })
  })

  test('a default of the child does not replace a value of the parent', async () => {
    const library = createLibrary({
      parent: { rules: { ban: { seconds: 60 } }, draws: 9 },
      child: { extends: 'parent', rules: { ban: { rejections: 2 } } },
    })
    const { rules, draws } = await library.prepare('child')
    expect(rules.ban).toEqual({ rejections: 2, seconds: 60 })
    expect(draws).toBe(9)
  })

  test('replaces arrays as a whole', async () => {
    const library = createLibrary({
      parent: { pets: [bella, milo], faults: [{ type: 'reset' }] },
      child: { extends: 'parent', pets: [milo], faults: [] },
    })
    const prepared = await library.prepare('child')
    const { faults } = prepared
    expect(recordsOf(prepared).pets.map(({ petId }) => petId)).toEqual(['2'])
    expect(faults).toEqual([])
  })

  test('merges quota by key, and replaces windows and bans as a whole', async () => {
    const library = createLibrary({
      parent: { quota: { free: { minute: { remaining: 1 }, ban: { seconds: 5 } }, pro: {} } },
      child: {
        extends: 'parent',
        quota: { free: { minute: { used: 3 }, ban: null, day: { used: 4 } } },
      },
    })
    expect((await library.prepare('child')).quota).toEqual({
      free: { minute: { used: 3 }, ban: null, day: { used: 4 } },
      pro: {},
    })
  })

  test('does not inherit name, description and $schema', async () => {
    const library = createLibrary({
      parent: { description: 'The parent.', $schema: './scenario.schema.json' },
      other: { description: 'Another.', $schema: '../scenario.schema.json' },
      child: { extends: ['parent', 'other'] },
    })
    expect((await library.prepare('child')).scenario).toBe('child')
    expect(library.list().find(({ name }) => name === 'child')?.description).toBe('')
  })

  test('takes conflicting values from the later parent', async () => {
    const library = createLibrary({
      one: { seed: 5, plans: { free: { requestsPerMinute: 5 } }, pets: [bella] },
      two: { plans: { free: { requestsPerMinute: 6 } }, pets: [bella, milo] },
      child: { extends: ['one', 'two'] },
      reversed: { extends: ['two', 'one'] },
    })
    const child = await library.prepare('child')
    expect([child.seed, child.plans.free.requestsPerMinute, recordsOf(child).pets.length]).toEqual([
      5, 6, 2,
    ])
    const reversed = await library.prepare('reversed')
    expect([reversed.plans.free.requestsPerMinute, recordsOf(reversed).pets.length]).toEqual([5, 1])
  })

  test.each([
    ['left', 'right'],
    ['right', 'left'],
  ])('a parent wins over a common ancestor of both parents: %s, %s', async (...parents) => {
    const library = createLibrary({
      root: { seed: 1, pets: [bella] },
      left: { extends: 'root', seed: 2 },
      right: { extends: 'root', pets: [milo] },
      child: { extends: parents },
    })
    const prepared = await library.prepare('child')
    expect(prepared.seed).toBe(2)
    expect(recordsOf(prepared).pets.map(({ petId }) => petId)).toEqual(['2'])
  })

  test('a parent wins over a scenario that it extends, even if the list has that one later', async () => {
    const library = createLibrary({
      root: { seed: 1 },
      derived: { extends: 'root', seed: 2 },
      child: { extends: ['derived', 'root'] },
    })
    expect((await library.prepare('child')).seed).toBe(2)
  })

  test('rejects a cycle', async () => {
    const library = createLibrary({
      one: { extends: 'two' },
      two: { extends: ['three'] },
      three: { extends: 'two' },
    })
    expect(await readScenarioError(() => library.prepare('one'))).toContain(
      'extends must not form a cycle, found two -> three -> two',
    )
  })
})
