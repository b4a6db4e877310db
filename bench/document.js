// Writes result tables into docs/benchmarks.md: between the two markers of each subject.
import { readFile, writeFile } from 'node:fs/promises'

const file = new URL('../docs/benchmarks.md', import.meta.url)

/**
 * @param {Record<string, string>} blocks Markdown by the id of the subject.
 * @throws {Error} If the page has no markers for a subject.
 */
export async function writeDocument(blocks) {
  let page = await readFile(file, 'utf8')
  for (const [id, block] of Object.entries(blocks)) {
    const [start, end] = [`<!-- results: ${id} -->\n`, `<!-- end: ${id} -->`]
    const from = page.indexOf(start)
    const to = page.indexOf(end)
    if (from < 0 || to < from) {
      throw new Error(`docs/benchmarks.md has no lines ${start.trim()} and ${end} in this order`)
    }
    page = `${page.slice(0, from + start.length)}\n${block}\n\n${page.slice(to)}`
  }
  await writeFile(file, page)
}
