import { expect, test } from 'vitest'
import { formatSeconds, LimitWait } from '../../src/verify/limit-wait.js'

function createWait(maxWaitSeconds: number, signal?: AbortSignal) {
  const events: (string | number)[] = []
  const wait = new LimitWait({
    sleep: async (ms) => void events.push(ms),
    notify: (line) => events.push(line),
    maxWaitSeconds,
    signal,
  })
  return { wait, events }
}

test('says how long it waits, and then waits a little longer', async () => {
  const { wait, events } = createWait(300)
  await wait.untilReset(60, 'no requests are left')
  expect(events).toEqual(['no requests are left; waits 60 s, then continues', 60_100])
})

test('allows waits up to the total time', async () => {
  const { wait } = createWait(100)
  expect([wait.allows(100), wait.allows(101)]).toEqual([true, false])
  await wait.untilReset(60, 'no requests are left')
  expect([wait.allows(40), wait.allows(41)]).toEqual([true, false])
})

test('a pause does not count', async () => {
  const { wait, events } = createWait(100)
  await wait.pause(90, 'waits')
  expect(events).toEqual(['waits', 90_100])
  expect(wait.allows(100)).toBe(true)
})

test('rejects with the reason of the signal after an interrupted wait', async () => {
  const stop = new AbortController()
  const { wait } = createWait(100, stop.signal)
  const waiting = wait.untilReset(60, 'no requests are left')
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
})

test.each([
  [-1, '0 s'],
  [0.2, '1 s'],
  [119, '119 s'],
  [120, '2 min'],
  [7_199, '120 min'],
  [7_200, '2 h'],
  [86_400, '24 h'],
])('formatSeconds(%d) is %s', (seconds, expected) => {
  expect(formatSeconds(seconds)).toBe(expected)
})
