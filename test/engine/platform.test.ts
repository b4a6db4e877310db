import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { platform } from '../../src/engine/platform.js'
import { SliceRunner } from '../../src/service/validation/slices.js'
import { ScenarioLibrary } from '../../src/world/scenario/library.js'

/** Counts the turns of the event loop until the scenario is prepared. */
async function countTurns(library: ScenarioLibrary): Promise<number> {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  onTestFinished(() => clearInterval(timer))
  const pets = Array.from({ length: 2_000 }, (_, petId) => ({ petId, name: 'Bella' }))
  await library.prepare({ name: 'large', pets })
  return turns
}

describe('yieldToEventLoop', () => {
  test('lets timers run between two slices', async () => {
    let ms = 0
    const runner = new SliceRunner({ ...platform, monotonic: () => ms++ })
    expect(await countTurns(new ScenarioLibrary(runner))).toBeGreaterThan(0)
  })

  test('is needed for that: without a platform no timer runs', async () => {
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
