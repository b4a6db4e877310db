import { expect, onTestFinished, test, vi } from 'vitest'
import { platform } from '../../src/engine/platform.js'

test('sleep resolves after its time, or when its signal is aborted, and leaves nothing behind', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const controller = new AbortController()
  const { signal } = controller
  const add = vi.spyOn(signal, 'addEventListener')
  const remove = vi.spyOn(signal, 'removeEventListener')
  const done: string[] = []
  void platform.sleep(1_000).then(() => done.push('one'))
  void platform.sleep(2_000, signal).then(() => done.push('two'))
  void platform.sleep(3_000, signal).then(() => done.push('three'))
  await vi.advanceTimersByTimeAsync(999)
  expect(done).toEqual([])
  await vi.advanceTimersByTimeAsync(1_001)
  expect(done).toEqual(['one', 'two'])
  controller.abort()
  await Promise.resolve()
  expect(done).toEqual(['one', 'two', 'three'])
  expect(vi.getTimerCount()).toBe(0)
  expect(remove.mock.calls).toEqual(add.mock.calls)
})

test('warnings and errors are logged with the name of the package', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const report = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks())
  platform.warn('no room')
  platform.reportError('a bug')
  expect(warn.mock.calls).toEqual([['petstore-sandbox: no room']])
  expect(report.mock.calls).toEqual([['petstore-sandbox: error:', 'a bug']])
})
