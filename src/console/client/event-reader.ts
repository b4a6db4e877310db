/** One server-sent event. */
export interface ServerSentEvent {
  readonly type: string
  readonly data: string
}

/**
 * Reads server-sent events from text that comes in pieces; needed because EventSource cannot send
 * the Authorization header. Comments, ids and retry times are left out.
 */
export class EventReader {
  #rest = ''

  /** Takes the next piece and returns the events that it completes. */
  push(piece: string): ServerSentEvent[] {
    const blocks = `${this.#rest}${piece}`.split(/\r?\n\r?\n/)
    this.#rest = blocks.pop() ?? ''
    return blocks.map(toEvent).filter(({ data }) => data !== '')
  }
}

function toEvent(block: string): ServerSentEvent {
  const fields = block.split(/\r?\n/).map(toField)
  const data = fields.filter(([name]) => name === 'data').map(([, value]) => value)
  const type = fields.findLast(([name]) => name === 'event')?.[1] ?? 'message'
  return { type, data: data.join('\n') }
}

function toField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  if (colon < 0) return [line, '']
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
}
