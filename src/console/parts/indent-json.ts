import { parseJson } from '../../service/json.js'

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g

/**
 * Indents a JSON string without parsing its numbers, so that an int64 beyond 2^53−1 stays exact.
 * Returns any other string unchanged.
 */
export function indentJson(text: string): string {
  if (parseJson(text) === undefined) return text
  let depth = 0
  let result = ''
  let previous = ''
  for (const [part] of text.matchAll(token)) {
    const closes = part === '}' || part === ']'
    const opened = previous === '{' || previous === '['
    if (closes) depth -= 1
    if ((opened && !closes) || previous === ',' || (closes && !opened)) {
      result += `\n${'  '.repeat(depth)}`
    }
    result += part === ':' ? ': ' : part
    if (part === '{' || part === '[') depth += 1
    previous = part
  }
  return result
}
