import { toPlainLine } from '../../service/validation/message.js'

/** HTML or XML, which is inserted unchanged. */
export class Markup {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

/** What a template of markup can contain. Strings are escaped, lists are joined. */
export type MarkupValue = Markup | string | number | undefined | readonly MarkupValue[]

/** Template tag that creates markup: `markup\`<p>${text}</p>\``. Values are escaped. */
export function markup(strings: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(
    strings.map((text, at) => (at === 0 ? text : `${toSource(values[at - 1])}${text}`)).join(''),
  )
}

/** Joins values with line breaks. */
export function joinLines(values: readonly MarkupValue[]): Markup {
  return new Markup(values.map(toSource).join('\n'))
}

function toSource(value: MarkupValue): string {
  if (value instanceof Markup) return value.source
  if (Array.isArray(value)) return value.map(toSource).join('')
  return value === undefined ? '' : escapeMarkup(String(value))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeMarkup(text: string): string {
  return toPlainLine(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
