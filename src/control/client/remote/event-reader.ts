/** One server-sent event. */
export interface ServerSentEvent {
  readonly type: string
  readonly data: string
}

/**
 * Parses a stream of server-sent events (HTML standard, section 9.2). The EventSource of the browser
 * cannot send the Authorization header. Ignores comments, ids and retry times.
 */
export class EventReader {
  #rest = ''

  /** Adds a chunk of the stream and returns the events that it completes. */
  push(chunk: string): ServerSentEvent[] {
    const blocks = `${this.#rest}${chunk}`.split(/\r?\n\r?\n/)
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
