import { describe, expect, it } from 'vitest'
import { EventReader } from '../../../src/control/client/remote/event-reader.js'

const stream =
  ': hello\n\nid: 1\nevent: request\ndata: {"a":1}\n\ndata: one\ndata: two\n\nevent: x\n\n'
const events = [
  { type: 'request', data: '{"a":1}' },
  { type: 'message', data: 'one\ntwo' },
]

describe('EventReader', () => {
  it.each([1, 2, 7, stream.length])(
    'returns the events of a stream in chunks of %i characters',
    (size) => {
      const reader = new EventReader()
      const found = []
      for (let at = 0; at < stream.length; at += size) {
        found.push(...reader.push(stream.slice(at, at + size)))
      }
      expect(found).toEqual(events)
    },
  )

  it('accepts lines that end in CR LF', () => {
    expect(new EventReader().push(stream.replaceAll('\n', '\r\n'))).toEqual(events)
  })

  it('returns an event when its blank line arrives', () => {
    const reader = new EventReader()
    expect(reader.push('data: 1\n')).toEqual([])
    expect(reader.push('\n')).toEqual([{ type: 'message', data: '1' }])
  })
})
