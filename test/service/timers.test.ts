import { expect, onTestFinished, test, vi } from 'vitest'
import { passTurn } from '../../src/service/timers.js'
import { ScenarioLibrary } from '../../src/world/scenario/library.js'

test('timers run while a large scenario is prepared', async () => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  onTestFinished(() => clearInterval(timer))
  const pets = Array.from({ length: 20_000 }, (_, petId) => ({ petId, name: 'Bella' }))
  await new ScenarioLibrary().prepare({ name: 'large', pets })
  expect(turns).toBeGreaterThan(0)
})

test('a turn passes with fake timers, and where there is no MessageChannel', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  await passTurn()
  vi.stubGlobal('MessageChannel', undefined)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  vi.useRealTimers()
  vi.resetModules()
  const other = await import('../../src/service/timers.js')
  vi.useFakeTimers()
  await other.passTurn()
})
