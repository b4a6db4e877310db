import { describe, expect, test } from 'vitest'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'
import { readScenarioError, recordsOf } from './support.js'

const mine = { name: 'mine', description: 'My store.', extends: 'default', seed: 2 }

describe('ScenarioLibrary', () => {
  test('prepare returns an added scenario by name', async () => {
    const library = new ScenarioLibrary()
    expect(library.add(mine, 'mine.json')).toBe('mine')
    expect(library.has('mine')).toBe(true)
    expect(library.list().at(-1)).toEqual({
      name: 'mine',
      description: 'My store.',
      source: 'file',
    })
    expect(library.fileOf('mine')).toBe('mine.json')
    expect(recordsOf(await library.prepare('mine')).pets).toHaveLength(12)
  })

  test('prepare caches the result for a name until the library changes', async () => {
    const library = new ScenarioLibrary()
    const first = await library.prepare('default')
    expect(await library.prepare('default')).toBe(first)
    expect(await library.prepare(['default'])).toBe(first)
    library.add(mine, 'mine.json')
    expect(await library.prepare('default')).not.toBe(first)
  })

  test('a scenario that is added while others are prepared affects no other library', async () => {
    const library = new ScenarioLibrary()
    const seed = library.prepare('low-stock')
    const error = readScenarioError(() => library.prepare('mine'))
    library.add({ name: 'low-stock', pets: [{ petId: 99, name: 'Own' }] }, 'own.json')
    library.add(mine, 'mine.json')
    expect(recordsOf(await seed).pets).not.toHaveLength(1)
    expect(await error).toContain('found "mine"')
    const other = new ScenarioLibrary()
    expect(recordsOf(await other.prepare('low-stock')).pets).not.toHaveLength(1)
    expect(await readScenarioError(() => other.prepare('mine'))).toContain('found "mine"')
  })

  test('an added scenario replaces the built-in one with its name, also as a parent', async () => {
    const library = new ScenarioLibrary()
    library.add({ name: 'default', pets: [{ petId: 99, name: 'Own' }] }, 'own.json')
    const seed = await library.prepare('rate-limited')
    const { quota } = seed
    expect(recordsOf(seed).pets.map(({ name }) => name)).toEqual(['Own'])
    expect(quota).toEqual({ '*': { minute: { remaining: 0 } } })
    expect(library.names()[0]).toBe('default')
    expect(library.list()[0]?.source).toBe('file')
  })

  test('add accepts a scenario that extends one which is added later', async () => {
    const library = new ScenarioLibrary()
    library.add({ name: 'child', extends: 'later' }, 'child.json')
    expect(await readScenarioError(() => library.prepare('child'))).toContain('found "later"')
    library.add({ name: 'later', seed: 8 }, 'later.json')
    expect((await library.prepare('child')).seed).toBe(8)
  })

  test('a scenario object can extend the known scenario of its own name', async () => {
    const seed = await new ScenarioLibrary().prepare({
      name: 'default',
      extends: 'default',
      seed: 3,
    })
    expect([seed.seed, recordsOf(seed).pets.length]).toEqual([3, 12])
  })
})

describe('replaceAdded', () => {
  const file = (name: string, parts: object) => ({
    file: { name, ...parts },
    source: `${name}.json`,
  })

  test('replaces all added scenarios and restores the built-in ones', async () => {
    const library = new ScenarioLibrary()
    library.add({ name: 'old' }, 'old.json')
    library.add({ name: 'default' }, 'default.json')
    library.replaceAdded([file('child', { extends: 'parent' }), file('parent', { seed: 5 })])
    expect([library.has('old'), library.has('child')]).toEqual([false, true])
    expect(recordsOf(await library.prepare('default')).pets).toHaveLength(12)
    expect((await library.prepare('child')).seed).toBe(5)
  })

  test.each([
    ['is invalid', file('bad', { seed: 'x' }), 'bad.json: seed must be an integer'],
    ['extends an unknown scenario', file('bad', { extends: 'nothing' }), 'found "nothing"'],
    [
      'contradicts its parent',
      file('bad', { extends: 'default', deprecation: { sunsetAt: '-P60D' } }),
      'deprecation.sunsetAt must be at or after',
    ],
    [
      'has the name of another',
      file('good', {}),
      'name must be unique, found good in good.json too',
    ],
  ])('changes nothing when one file %s', async (_, bad, reason) => {
    const library = new ScenarioLibrary()
    library.replaceAdded([file('mine', { seed: 5 })])
    const names = library.names()
    const prepared = await library.prepare('mine')
    const message = await readScenarioError(() => library.replaceAdded([file('good', {}), bad]))
    expect(message).toContain(reason)
    expect(library.names()).toEqual(names)
    expect(await library.prepare('mine')).toBe(prepared)
  })
})
