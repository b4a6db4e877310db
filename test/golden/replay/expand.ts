/** JSON in which long strings and arrays are replaced by descriptions of them. */
export type Shortened = unknown

/** A string, where a pair is a character and the number of its repetitions. */
interface ShortText {
  readonly $text: readonly (string | readonly [character: string, times: number])[]
}

/** An array whose elements have this JSON, with their number in place of `<n>`. */
interface ShortList {
  readonly $list: string
  readonly first: number
  readonly count: number
}

/** Returns the JSON that a golden file describes. */
export function expand(value: Shortened): unknown {
  if (isShortText(value)) return value.$text.map(toRun).join('')
  if (isShortList(value)) {
    const { $list, first, count } = value
    const elements = Array.from({ length: count }, (_, at) =>
      $list.replaceAll('<n>', `${first + at}`),
    )
    return JSON.parse(`[${elements.join()}]`)
  }
  if (Array.isArray(value)) return value.map(expand)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, expand(field)]))
}

function toRun(part: ShortText['$text'][number]): string {
  return typeof part === 'string' ? part : part[0].repeat(part[1])
}

function isShortText(value: unknown): value is ShortText {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$text')
}

function isShortList(value: unknown): value is ShortList {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$list')
}
