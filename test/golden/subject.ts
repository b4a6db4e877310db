/** What one golden file records: `files/<name>.json`. */
export interface Subject {
  readonly name: string
  /**
   * Returns what the sandbox does now, as JSON values. `recorded` is the content of the file; a subject
   * that replays requests takes them from it.
   */
  produce(recorded: unknown): Promise<unknown>
}

const maximumWidth = 110

/**
 * Formats JSON so that a changed value is a changed line: an array or object is on one line if it
 * fits into 110 characters, and has one line for each element otherwise.
 */
export function format(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (indent.length + line.length <= maximumWidth || typeof value !== 'object' || value === null)
    return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((element) => inner + format(element, inner))
    : Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .map(([key, field]) => `${inner}${JSON.stringify(key)}: ${format(field, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}
