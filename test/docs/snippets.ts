import { readFile } from 'node:fs/promises'

const root = new URL('../../', import.meta.url)

/** A fence, and the optional comment before it that names the source of its content. */
const fence =
  /^(?:<!-- snippet: (?<source>\S+) -->\n)?```(?<language>\w*)\n(?<content>[\s\S]*?)^```$/gm

/**
 * Returns a page with the current content of its snippets. A fence below a comment
 * `<!-- snippet: path -->` shows that file. A fence below `<!-- snippet: path#name -->` shows the
 * lines between the comments `#region name` and `#endregion`.
 *
 * @throws {Error} If a file or region is missing, or if a ts fence names no file.
 */
export async function fillSnippets(page: string): Promise<string> {
  const parts: string[] = []
  let end = 0
  for (const match of page.matchAll(fence)) {
    const { source, language = '', content = '' } = match.groups ?? {}
    if (source === undefined && language === 'ts') throw unnamed(content)
    if (source === undefined) continue
    parts.push(page.slice(end, match.index), `<!-- snippet: ${source} -->\n`)
    parts.push(`\`\`\`${language}\n${await readSnippet(source)}\`\`\``)
    end = match.index + match[0].length
  }
  return [...parts, page.slice(end)].join('')
}

function unnamed(content: string): Error {
  const [first = ''] = content.split('\n', 1)
  return new Error(
    `the ts fence that begins with "${first}" must follow a comment <!-- snippet: path -->`,
  )
}

async function readSnippet(source: string): Promise<string> {
  const [path = '', region] = source.split('#')
  const text = await readFile(new URL(path, root), 'utf8')
  return region === undefined ? text : readRegion(text, region, path)
}

/** Returns the lines of a region without their common indentation. */
function readRegion(text: string, region: string, path: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.trim() === `// #region ${region}`)
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === '// #endregion')
  if (start < 0 || length < 0) throw new Error(`${path} must have the region ${region}, found none`)
  const found = lines.slice(start + 1, start + 1 + length)
  const indents = found.filter((line) => line !== '').map((line) => line.search(/\S/))
  const indent = Math.min(...indents)
  return found.map((line) => `${line.slice(indent)}\n`).join('')
}
