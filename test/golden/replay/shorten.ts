/** JSON in which long strings and arrays are replaced by descriptions of them. */
export type Shortened = unknown

const shortestRun = 64
const shortestList = 50

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

/** Replaces runs of one character, and arrays whose elements differ only in their number. */
export function shorten(value: unknown): Shortened {
  if (typeof value === 'string') return shortenText(value)
  if (Array.isArray(value)) return shortenList(value) ?? value.map(shorten)
  return mapFields(value, shorten)
}

/** Restores what `shorten` was given. */
export function expand(value: Shortened): unknown {
  if (isShortText(value)) return value.$text.map(toRun).join('')
  if (isShortList(value)) {
    const { $list, first, count } = value
    const elements = Array.from({ length: count }, (_, at) => fill($list, first + at))
    return JSON.parse(`[${elements.join()}]`)
  }
  if (Array.isArray(value)) return value.map(expand)
  return mapFields(value, expand)
}

function shortenText(text: string): string | ShortText {
  const parts: (string | [string, number])[] = []
  let plain = ''
  for (let start = 0, end = 0; start < text.length; start = end) {
    const character = text.charAt(start)
    while (text.charAt(end) === character) end += 1
    if (end - start < shortestRun) {
      plain += text.slice(start, end)
      continue
    }
    if (plain !== '') parts.push(plain)
    plain = ''
    parts.push([character, end - start])
  }
  if (parts.length === 0) return text
  return { $text: plain === '' ? parts : [...parts, plain] }
}

function shortenList(list: readonly unknown[]): ShortList | undefined {
  if (list.length < shortestList) return undefined
  const found = list.map((element) => JSON.stringify(element))
  for (const first of [0, 1]) {
    const template = found.at(-1)?.replaceAll(String(first + list.length - 1), '<n>') ?? ''
    if (found.every((json, at) => json === fill(template, first + at))) {
      return { $list: template, first, count: list.length }
    }
  }
  return undefined
}

function fill(template: string, number: number): string {
  return template.replaceAll('<n>', String(number))
}

function toRun(part: ShortText['$text'][number]): string {
  return typeof part === 'string' ? part : part[0].repeat(part[1])
}

function mapFields(value: unknown, map: (field: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, map(field)]))
}

function isShortText(value: unknown): value is ShortText {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$text')
}

function isShortList(value: unknown): value is ShortList {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$list')
}
