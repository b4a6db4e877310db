import { expect, test } from 'vitest'

const file = new URL('../../bench/measure.js', import.meta.url)
const { alternate, assess } = await import(file.href)

const row = { figure: 'a figure', unit: 'ms', own: [10, 40, 12] }
const reference = { name: 'a reference', samples: [20, 100, 20] }

test('a benchmark compares the samples of each round, so that a slow round does not count', () => {
  expect(assess({ ...row, reference, times: 1 }).ratio).toBe(0.5)
  expect(assess({ ...row, reference, more: 1 }).difference).toBe(-10)
})

test.each([
  ['a ratio at its target', { reference, times: 0.5 }, true],
  ['a ratio above its target', { reference, times: 0.49 }, false],
  ['a difference at its target', { reference, more: -10 }, true],
  ['a difference above its target', { reference, more: -11 }, false],
  ['a figure at its target', { atMost: 12 }, true],
  ['a figure above its target', { atMost: 11 }, false],
  ['a figure without samples', { own: [], atMost: 11 }, false],
])('a benchmark decides whether a target is met: %s', (_, target, isMet) => {
  expect(assess({ ...row, ...target }).isMet).toBe(isMet)
})

test('the contenders of a benchmark take turns, in the reverse order in every second round', async () => {
  const order: string[] = []
  const run = (name: string) => async () => order.push(name)
  const samples = await alternate(2, { first: run('first'), second: run('second') })
  expect(order).toEqual(['first', 'second', 'second', 'first'])
  expect(samples).toEqual({ first: [1, 4], second: [2, 3] })
})
