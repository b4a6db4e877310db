import { expect, test, vi } from 'vitest'
import { ScenarioLibrary } from '../../../src/world/scenario/library.js'

const loads = vi.hoisted(() => ({ count: 0 }))
vi.mock('../../../src/world/scenario/generate.js', async (original) => {
  loads.count += 1
  return original()
})

test('the data generator is loaded by the first scenario that uses it', async () => {
  const library = new ScenarioLibrary()
  await library.prepare('default')
  expect(loads.count).toBe(0)
  await library.prepare('large-catalogue')
  expect(loads.count).toBe(1)
})
