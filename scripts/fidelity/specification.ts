/** The section and the text of a statement of docs/specification.md. */
export interface Quote {
  /** Number of the section; `introduction` for the text before section 1. */
  readonly section: string
  /** The text without the marks of lists. The cells of a table row are joined with ` | `. */
  readonly sentence: string
}

/** A statement of docs/specification.md. */
export interface Statement extends Quote {
  readonly kind: 'heading' | 'sentence' | 'row'
}

/**
 * Splits the specification into its statements, in order: headings, sentences of paragraphs and of
 * list items, and table rows without the titles of their columns.
 */
export function readStatements(markdown: string): readonly Statement[] {
  const statements: Statement[] = []
  let section = 'introduction'
  const lines = markdown.split('\n').slice(1) // without the title of the document
  for (const [index, line] of lines.entries()) {
    const [, number, title] = /^#+ (?:(\d[\d.]*?)\.? )?(.*)$/.exec(line) ?? []
    if (number !== undefined) section = number
    if (title !== undefined) statements.push({ section, sentence: title, kind: 'heading' })
    else if (line.startsWith('|')) {
      const isTitle = lines[index + 1]?.startsWith('|-')
      if (!isTitle && !/^\|[-|\s]+$/.test(line)) {
        statements.push({ section, sentence: toRow(line), kind: 'row' })
      }
    } else {
      for (const sentence of toSentences(line))
        statements.push({ section, sentence, kind: 'sentence' })
    }
  }
  return statements
}

function toRow(line: string): string {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
    .join(' | ')
}

/** Splits a paragraph or a list item at each full stop that a space follows. */
function toSentences(line: string): readonly string[] {
  const text = line.replace(/^\s*(?:-|\d+\.) /, '').trim()
  return text === '' ? [] : text.split(/(?<=\.) /)
}
