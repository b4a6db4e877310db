/**
 * Returns text in the form in which a difference is easiest to read: JSON as a value, if that value
 * is written as exactly this text, and any other text as its lines.
 */
export function toReadable(text: string): unknown {
  if (text === '') return ''
  const value = parse(text)
  if (JSON.stringify(value) === text) return { json: value }
  if (`${JSON.stringify(value, null, 2)}\n` === text) return { indentedJson: value }
  return text.split('\n').map(toReadableLine)
}

/** A line can be JSON on its own, as in a log. */
function toReadableLine(line: string): unknown {
  const value = parse(line)
  const isObject = typeof value === 'object' && value !== null
  return isObject && JSON.stringify(value) === line ? { json: value } : line
}

/** Like {@link toReadable}, for server-sent events: the data of an event can be JSON. */
export function toReadableEvents(text: string): unknown {
  return text.split('\n').map((line) => {
    const [, data = ''] = /^data: (.*)$/s.exec(line) ?? []
    const value = parse(data)
    return JSON.stringify(value) === data ? { data: value } : line
  })
}

/** Returns undefined if a text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
