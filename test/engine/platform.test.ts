import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { platform } from '../../src/engine/platform.js'
import { ScenarioLibrary } from '../../src/world/scenario/library.js'

/** Counts the turns of the event loop until the scenario is prepared. */
async function countTurns(library: ScenarioLibrary): Promise<number> {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  onTestFinished(() => clearInterval(timer))
  const pets = Array.from({ length: 20_000 }, (_, petId) => ({ petId, name: 'Bella' }))
  await library.prepare({ name: 'large', pets })
  return turns
}

describe('yieldToEventLoop', () => {
  test('lets timers run while a large scenario is prepared', async () => {
    const library = new ScenarioLibrary(platform.yieldToEventLoop)
    expect(await countTurns(library)).toBeGreaterThan(0)
  })

  test('is needed for that: without it no timer runs', async () => {
    expect(await countTurns(new ScenarioLibrary())).toBe(0)
  })

  test('works with fake timers, and where there is no MessageChannel', async () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    await platform.yieldToEventLoop()
    vi.stubGlobal('MessageChannel', undefined)
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    vi.useRealTimers()
    vi.resetModules()
    const other = await import('../../src/engine/platform.js')
    vi.useFakeTimers()
    await other.platform.yieldToEventLoop()
  })
})
