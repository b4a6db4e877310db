import { describe, expect, test } from 'vitest'
import { EventFeed, type EventSink } from '../../src/control/event-feed.js'
import type { RecordedEntry } from '../../src/world/journal/entry.js'
import { Journal } from '../../src/world/journal/journal.js'
import { entry, recordEntry } from '../support/record-entry.js'

const decoder = new TextDecoder()

/** A stream that records what it is sent. */
class RecordedSink implements EventSink {
  readonly chunks: Uint8Array[] = []
  hasEnded = false

  send(chunk: Uint8Array): void {
    if (this.hasEnded) throw new Error('a chunk was sent after the end')
    this.chunks.push(chunk)
  }

  end(): void {
    this.hasEnded = true
  }

  get text(): string {
    return this.chunks.map((chunk) => decoder.decode(chunk)).join('')
  }
}

/** A feed, and the number of times that an entry was serialized. */
function createFeed() {
  const reported: unknown[] = []
  const journal = new Journal(
    10,
    () => true,
    (error) => reported.push(error),
  )
  const feed = new EventFeed(journal)
  let serialized = 0
  const toData = ({ id }: RecordedEntry) => ({
    toJSON() {
      serialized += 1
      return { id }
    },
  })
  const open = (sink: EventSink) => feed.open(sink, toData)
  return { feed, journal, open, toData, reported, countSerialized: () => serialized }
}

const opening = ': the requests that reach this world\n\n'

describe('EventFeed', () => {
  test('serializes and encodes an event once for all streams', () => {
    const { journal, open, countSerialized } = createFeed()
    const sinks = Array.from({ length: 100 }, () => new RecordedSink())
    for (const sink of sinks) open(sink)
    recordEntry(journal, entry)
    expect(countSerialized()).toBe(1)
    const [first, ...others] = sinks.map(({ chunks }) => chunks[1])
    expect(decoder.decode(first)).toBe('id: 1\nevent: request\ndata: {"id":1}\n\n')
    for (const chunk of others) expect(chunk).toBe(first)
  })

  test('serializes nothing if no stream is open', () => {
    const { journal, open, countSerialized } = createFeed()
    const sink = new RecordedSink()
    const close = open(sink)
    close()
    recordEntry(journal, entry)
    expect(countSerialized()).toBe(0)
    expect(sink.text).toBe(opening)
    open(sink)
    recordEntry(journal, entry)
    expect(countSerialized()).toBe(1)
  })

  test('closes one stream without affecting the others', () => {
    const { journal, open } = createFeed()
    const [closed, other] = [new RecordedSink(), new RecordedSink()]
    const close = open(closed)
    open(other)
    close()
    close()
    recordEntry(journal, entry)
    expect(closed.text).toBe(opening)
    expect(other.text).toContain('data: {"id":1}')
  })

  test('a stream that another one closes while an event is sent receives nothing more', () => {
    const { journal, open } = createFeed()
    const late = new RecordedSink()
    let closeLate = () => {}
    open({ send: () => closeLate(), end: () => {} })
    closeLate = open(late)
    recordEntry(journal, entry)
    expect(late.text).toBe(opening)
  })

  test('ends all streams when the world restarts, and serves later ones', () => {
    const { feed, journal, open, reported } = createFeed()
    const sinks = [new RecordedSink(), new RecordedSink()]
    for (const sink of sinks) open(sink)
    feed.restart(7)
    const end = 'event: end\ndata: {"reason":"restarted","generation":7}\n\n'
    for (const sink of sinks) {
      expect(sink.text).toBe(opening + end)
      expect(sink.hasEnded).toBe(true)
    }
    const later = new RecordedSink()
    open(later)
    recordEntry(journal, entry)
    expect(later.text).toContain('data: {"id":1}')
    expect(reported).toEqual([])
  })

  test('ends all streams when the world is evicted, and later ones at once', () => {
    const { feed, journal, open, countSerialized } = createFeed()
    const [before, later] = [new RecordedSink(), new RecordedSink()]
    open(before)
    feed.close()
    open(later)()
    recordEntry(journal, entry)
    for (const sink of [before, later]) {
      expect(sink.text).toBe(
        `${opening}event: end\ndata: {"reason":"evicted","generation":null}\n\n`,
      )
      expect(sink.hasEnded).toBe(true)
    }
    expect(countSerialized()).toBe(0)
  })
})
