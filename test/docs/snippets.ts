import { readFile } from 'node:fs/promises'

const root = new URL('../../', import.meta.url)

/** A fence, with the comment in front of it that may name where its content comes from. */
const fence =
  /^(?:<!-- snippet: (?<source>\S+) -->\n)?```(?<language>\w*)\n(?<content>[\s\S]*?)^```$/gm

/**
 * A page with its snippets as their files have them now. Each fence below a comment
 * `<!-- snippet: path -->` shows that file; `path#name` only what stands in it between the comments
 * `#region name` and `#endregion`.
 *
 * @throws {Error} When a file or region is missing, or a fence of TypeScript names no file.
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
    `the ts fence that begins with "${first}" must stand below <!-- snippet: path -->`,
  )
}

async function readSnippet(source: string): Promise<string> {
  const [path = '', region] = source.split('#')
  const text = await readFile(new URL(path, root), 'utf8')
  return region === undefined ? text : readRegion(text, region, path)
}

/** The lines of a region, as far to the left as they go. */
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
