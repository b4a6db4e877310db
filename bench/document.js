// Writes result tables into docs/benchmarks.md: between the two markers of each subject.
import { readFile, writeFile } from 'node:fs/promises'

const file = new URL('../docs/benchmarks.md', import.meta.url)

/**
 * @param {string} id The id of the subject.
 * @param {string} block Markdown.
 * @throws {Error} If the page has no markers for the subject.
 */
export async function writeBlock(id, block) {
  const page = await readFile(file, 'utf8')
  const [start, end] = [`<!-- results: ${id} -->\n`, `<!-- end: ${id} -->`]
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) {
    throw new Error(`docs/benchmarks.md has no lines ${start.trim()} and ${end} in this order`)
  }
  await writeFile(file, `${page.slice(0, from + start.length)}\n${block}\n\n${page.slice(to)}`)
}
