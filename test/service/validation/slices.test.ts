import { describe, expect, test } from 'vitest'
import { complete, SliceRunner, type Work } from '../../../src/service/validation/slices.js'

/** Creates a platform on which each reading of the clock takes 1 ms. */
function createPlatform() {
  const platform = {
    ms: 0,
    pauses: 0,
    monotonic: () => platform.ms++,
    yieldToEventLoop: async () => {
      platform.pauses += 1
    },
  }
  return platform
}

function* count(to: number, seen: string[] = [], name = ''): Work<number> {
  for (let number = 1; number <= to; number++) {
    seen.push(`${name}${number}`)
    yield
  }
  return to
}

describe('SliceRunner', () => {
  test('performs work in slices of at most 10 ms', async () => {
    const platform = createPlatform()
    expect(await new SliceRunner(platform).run(count(1_000))).toBe(1_000)
    expect(platform.pauses).toBe(100)
  })

  test('performs work without a pause if it has no platform', async () => {
    expect(await new SliceRunner().run(count(1_000))).toBe(1_000)
  })

  test('performs work that fits in one slice at once', () => {
    const platform = createPlatform()
    const seen: string[] = []
    void new SliceRunner(platform).run(count(5, seen))
    expect(seen).toHaveLength(5)
  })

  test('performs one slice of each work in turn', async () => {
    const runner = new SliceRunner(createPlatform())
    const seen: string[] = []
    const works = ['a', 'b', 'c'].map((name) => runner.run(count(20, seen, name)))
    expect(await Promise.all(works)).toEqual([20, 20, 20])
    const slices = seen
      .map((step) => step[0])
      .join('')
      .match(/(.)\1*/g)
    expect(slices?.map((slice) => slice[0]).join('')).toBe('abcabc')
  })

  test('rejects with what the work throws, and performs the others', async () => {
    const runner = new SliceRunner(createPlatform())
    // biome-ignore lint/correctness/useYield: it fails in its first slice
    function* fail(): Work<never> {
      throw new Error('broken')
    }
    const results = await Promise.allSettled([
      runner.run(count(50)),
      runner.run(fail()),
      runner.run(count(9)),
    ])
    expect(results).toMatchObject([{ value: 50 }, { reason: { message: 'broken' } }, { value: 9 }])
    expect(await runner.run(count(3))).toBe(3)
  })

  test('stops when the signal is aborted', async () => {
    const platform = createPlatform()
    const runner = new SliceRunner(platform)
    const controller = new AbortController()
    const seen: string[] = []
    const running = runner.run(count(1_000, seen), controller.signal)
    controller.abort(new Error('the client has gone'))
    await expect(running).rejects.toThrow('the client has gone')
    expect(seen.length).toBeLessThan(20)
    expect(await runner.run(count(3))).toBe(3)
  })
})

test('complete performs work without interruption', () => {
  expect(complete(count(1_000))).toBe(1_000)
})
