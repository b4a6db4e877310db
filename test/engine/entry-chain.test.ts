import { describe, expect, test } from 'vitest'
import { EntryChain, recordsPerFullEntry } from '../../src/engine/persistence/entry-chain.js'
import type { RecordedEntry } from '../../src/world/journal/entry.js'
import { Random } from '../../src/world/random.js'

const random = new Random(1)

function pick<T>(...values: readonly T[]): T {
  return values[Math.floor(random.next() * values.length)] as T
}

function createEntry(id: number): RecordedEntry {
  return {
    id,
    requestId: pick('r', `r-${id}`),
    atMs: pick(0, 5),
    durationMs: random.next(),
    environment: 'production',
    address: pick('api', 'staging', undefined),
    method: pick('GET', 'PATCH'),
    path: pick('/inventory', '/inventory/7'),
    query: pick('', 'a=…'),
    operation: pick('listInventory', undefined),
    isUserHandled: pick(true, false),
    nearestOperation: undefined,
    apiKey: pick('sbx_free…', undefined),
    requestHeaders: pick([], ['accept', '*/*'], ['accept', 'text/html'], ['accept', '0', 'a', 'b']),
    requestBody: pick(undefined, '', '0', 'null'),
    status: pick(0, 200),
    aborted: pick(true, false),
    code: pick(undefined, 'pet_not_found'),
    responseHeaders: pick([], ['Date', String(id)]),
    responseBody: pick(undefined, '[]', '[1]'),
    explanation: pick([], ['one'], ['one', 'two']),
    changes: pick([], [{ type: 'quantity.set', petId: '7', from: 1, to: id }]),
  }
}

/** Encodes entries, a few in each record, and returns the records as a store would. */
function encode(entries: readonly RecordedEntry[], perRecord: number): string[] {
  const chain = new EntryChain()
  const records: string[] = []
  for (let at = 0; at < entries.length; at += perRecord) {
    records.push(JSON.stringify(chain.encode(entries.slice(at, at + perRecord))))
  }
  return records
}

function decode(records: readonly string[]): RecordedEntry[] {
  const chain = new EntryChain()
  return records.flatMap((record) => [...chain.decode(JSON.parse(record))])
}

const entries = Array.from({ length: 300 }, (_, at) => createEntry(at + 1))

describe('the entries of successive records', () => {
  test.each([1, 3])('are the same after encoding and decoding, %i in each record', (perRecord) => {
    expect(decode(encode(entries, perRecord))).toEqual(entries)
  })

  test('are decoded again soon after a gap, and never wrongly', () => {
    for (const missing of [1, 7, 130]) {
      const decoded = decode(encode(entries, 1).slice(missing))
      expect(entries).toEqual(expect.arrayContaining(decoded))
      expect(decoded.length).toBeGreaterThanOrEqual(300 - missing - recordsPerFullEntry)
    }
  })

  test('are read from a record in which a list has 0 for each equal string', () => {
    const entry = { ...createEntry(1), explanation: ['one', 'two'] }
    const chain = new EntryChain()
    chain.decode({ entries: [entry] })
    const decoded = chain.decode({ deltas: [{ id: 2, explanation: [0, 'three'] }] })
    expect(decoded).toEqual([{ ...entry, id: 2, explanation: ['one', 'three'] }])
  })

  test('take a fraction of the bytes if they are similar', () => {
    const entry = createEntry(1)
    const similar = Array.from({ length: 40 }, (_, at) => ({ ...entry, id: at + 1 }))
    const [first = '', ...others] = encode(similar, 1)
    for (const record of others) expect(record.length).toBeLessThan(first.length / 5)
  })

  test('continue independently in a copy', () => {
    const chain = new EntryChain()
    chain.encode(entries.slice(0, 1))
    const copy = chain.copy()
    copy.encode(entries.slice(1, 2))
    const next = chain.encode(entries.slice(2, 3))
    const reader = new EntryChain()
    reader.decode({ entries: entries.slice(0, 1) })
    expect(reader.decode(JSON.parse(JSON.stringify(next)))).toEqual(entries.slice(2, 3))
  })
})
