import { expect, test, vi } from 'vitest'
import { EventFeed, type EventSink } from '../../src/control/event-feed.js'
import { Journal } from '../../src/world/journal/journal.js'
import { entry, recordEntry } from '../support/record-entry.js'

// test/control/events.test.ts and the golden file events show the streams of a world over HTTP.

function createFeed() {
  const report = vi.fn()
  const journal = new Journal(10, () => true, report)
  const feed = new EventFeed(journal)
  return { feed, journal, report, open: (sink: EventSink) => feed.open(sink, ({ id }) => ({ id })) }
}

/** A stream that records what it is sent. */
function createSink() {
  return { send: vi.fn((_: Uint8Array) => {}), end: vi.fn() }
}

test('a stream that another one closes while an event is sent receives nothing more', () => {
  const { journal, open, report } = createFeed()
  const late = createSink()
  let closeLate = () => {}
  open({ send: () => closeLate(), end: () => {} })
  closeLate = open(late)
  recordEntry(journal, entry)
  expect(late.send).toHaveBeenCalledOnce()
  expect(report).not.toHaveBeenCalled()
})

test('a stream of an evicted world ends at once', () => {
  const { feed, open } = createFeed()
  feed.close()
  const later = createSink()
  open(later)
  const sent = later.send.mock.calls.map(([chunk]) => new TextDecoder().decode(chunk)).join('')
  expect(sent).toContain('event: end\ndata: {"reason":"evicted","generation":null}\n\n')
  expect(later.end).toHaveBeenCalledOnce()
})
