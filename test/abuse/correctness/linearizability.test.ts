import { expect, test } from 'vitest'
import { type HistoryEntry, isLinearizable } from './linearizability.js'

const write = (pet: number, value: number, startMs: number, endMs: number): HistoryEntry => ({
  startMs,
  endMs,
  operation: { type: 'write', pet, value },
})
const read = (found: readonly number[], startMs: number, endMs: number): HistoryEntry => ({
  startMs,
  endMs,
  operation: { type: 'read', found },
})
const reset = (startMs: number, endMs: number): HistoryEntry => ({
  startMs,
  endMs,
  operation: { type: 'reset' },
})

test.each<[string, readonly HistoryEntry[]]>([
  ['no operation', []],
  ['a read after a write', [write(0, 5, 0, 1), read([5, 2], 2, 3)]],
  ['a read of the old value during a write', [write(0, 5, 0, 9), read([1, 2], 2, 3)]],
  ['a read of the new value during a write', [write(0, 5, 0, 9), read([5, 2], 2, 3)]],
  ['two writes in either order', [write(0, 5, 0, 9), write(0, 6, 0, 9), read([5, 2], 10, 11)]],
  [
    'a reset between two reads',
    [write(1, 5, 0, 1), read([1, 5], 2, 3), reset(2, 6), read([1, 2], 4, 6)],
  ],
])('a history is linearizable: %s', (_, history) => {
  expect(isLinearizable(history, [1, 2])).toBe(true)
})

test.each<[string, readonly HistoryEntry[]]>([
  ['a lost update', [write(0, 5, 0, 1), read([1, 2], 2, 3)]],
  ['a value that nobody wrote', [write(0, 5, 0, 1), read([7, 2], 2, 3)]],
  ['a stale read after a new one', [write(0, 5, 0, 9), read([5, 2], 1, 2), read([1, 2], 3, 4)]],
  [
    'a reset that leaves one pet',
    [write(0, 5, 0, 1), write(1, 6, 0, 1), reset(2, 3), read([1, 6], 4, 5)],
  ],
  [
    'two reads that disagree about the order of two writes',
    [write(0, 5, 0, 9), write(1, 6, 0, 9), read([5, 2], 1, 2), read([1, 6], 1, 2)],
  ],
  ['a write after its response', [reset(0, 1), write(0, 5, 2, 3), reset(4, 5), read([5, 2], 6, 7)]],
])('a history is not linearizable: %s', (_, history) => {
  expect(isLinearizable(history, [1, 2])).toBe(false)
})
