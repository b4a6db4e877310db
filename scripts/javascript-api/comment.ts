/** A docstring, split at its block tags. */
export interface Comment {
  /** The text before the first tag. */
  readonly description: string
  /** Descriptions of parameters, by name. */
  readonly parameters: ReadonlyMap<string, string>
  readonly returns: string | undefined
  /** The types and conditions of exceptions, such as `TypeError` and `If an option is unknown.` */
  readonly throws: readonly { readonly type: string; readonly condition: string }[]
  readonly examples: readonly string[]
}

/** Reads a docstring in TSDoc or JSDoc, with its delimiters. */
export function readComment(source: string): Comment {
  const text = source
    .replace(/^\s*\/\*\*/, '')
    .replace(/\*\/\s*$/, '')
    .replaceAll(/^ *\* ?/gm, '')
    .trim()
  const [description = '', ...blocks] = `\n${text}`.split(/\n(?=@\w)/)
  const tags = blocks.map((block) => {
    const [, name = '', content = ''] = /^@(\w+)\s*([\s\S]*)$/.exec(block) ?? []
    return { name, content: content.trim() }
  })
  const find = (name: string) =>
    tags.filter((tag) => tag.name === name).map(({ content }) => content)
  return {
    description: toParagraphs(description),
    parameters: new Map(find('param').map(readParameter)),
    returns: find('returns').map(toParagraphs)[0],
    throws: find('throws').map(readThrows),
    examples: find('example').map(toCode),
  }
}

function readParameter(content: string): [name: string, description: string] {
  const [, name = '', description = ''] = /^(\S+)\s*(?:-\s+)?([\s\S]*)$/.exec(content) ?? []
  return [name, toParagraphs(description)]
}

function readThrows(content: string): { type: string; condition: string } {
  const [, type = 'Error', condition = ''] = /^(?:\{(\w+)\}\s*)?([\s\S]*)$/.exec(content) ?? []
  return { type, condition: toParagraphs(condition) }
}

/** Joins the lines of each paragraph. Lists keep their lines. A link becomes the name of its target. */
function toParagraphs(text: string): string {
  return text
    .trim()
    .replaceAll(/\{@link ([\w.]+)\}/g, '`$1`')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\n(?!- )/g, ' '))
    .join('\n\n')
}

/**
 * Restores the indentation of an example, which API Extractor removes outside of a code fence.
 * Each bracket that is open at the start of a line adds one level.
 */
function toCode(example: string): string {
  const [, fenced] = /^```\w*\n([\s\S]*?)\n```$/.exec(example) ?? []
  if (fenced !== undefined) return fenced
  let depth = 0
  const lines = example.split('\n').map((line) => {
    const code = line.trim()
    const opened = code.match(/[([{]/g)?.length ?? 0
    const closed = code.match(/[)\]}]/g)?.length ?? 0
    const indent = /^[)\]}]/.test(code) ? depth - 1 : depth
    depth += Math.sign(opened - closed)
    return `${'  '.repeat(Math.max(indent, 0))}${code}`
  })
  return lines.join('\n')
}
