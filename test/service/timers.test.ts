import { onTestFinished, test, vi } from 'vitest'
import { passTurn } from '../../src/service/timers.js'

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
