/** An element of an XML document. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

const token =
  /<\?xml version="1\.0" encoding="UTF-8"\?>|<\/(?<end>[\w-]+)>|<(?<start>[\w-]+)(?<attributes>(?: [\w-]+="[^"<]*")*)(?<empty>\/?)>|(?<text>[^<]+)/gy

/** Characters that XML 1.0 forbids. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** Parses XML without comments, sections and processing instructions. Throws if it is malformed. */
export function parseXml(source: string): XmlElement {
  if (forbidden.test(source)) throw new Error('the document contains a forbidden character')
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let at = 0
  for (const {
    0: { length },
    groups = {},
  } of source.matchAll(token)) {
    at += length
    const parent = open.at(-1) ?? root
    if (groups.text) parent.text += decode(groups.text)
    if (groups.end && open.pop()?.name !== groups.end) throw new Error(`unexpected ${groups.end}`)
    if (!groups.start) continue
    const attributes = readAttributes(groups.attributes ?? '')
    const element = { name: groups.start, attributes, children: [], text: '' }
    parent.children.push(element)
    if (!groups.empty) open.push(element)
  }
  const [first, ...others] = root.children
  if (at !== source.length || open.length !== 1 || !first || others.length > 0) {
    throw new Error(`the document is malformed at ${source.slice(at, at + 100)}`)
  }
  return first
}

function readAttributes(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)]
  if (new Set(pairs.map(([, name]) => name)).size < pairs.length)
    throw new Error(`twice in ${text}`)
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decode(value)]))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decode(text: string): string {
  return text.replace(/&(#39;|\w+;)?/g, (match, name = '') => {
    const value = name === '#39;' ? "'" : entities[name.slice(0, -1)]
    if (value === undefined) throw new Error(`${match} is not an entity`)
    return value
  })
}
