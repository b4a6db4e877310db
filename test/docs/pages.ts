import { readdir, readFile } from 'node:fs/promises'

/** Reads the pages of the documentation: their content by path, `README.md` first. */
export async function readPages(root: URL): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(new URL('docs/', root), { recursive: true })
  const paths = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  const others = ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'AGENTS.md']
  const pages = new Map<string, string>()
  for (const path of ['README.md', ...others, ...paths.toSorted()]) {
    pages.set(path, await readFile(new URL(path, root), 'utf8'))
  }
  return pages
}
