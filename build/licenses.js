import { readdir, readFile } from 'node:fs/promises'

/**
 * Returns the licences of the packages whose code is part of bundles, by name.
 *
 * @param chunks The output of Rolldown.
 * @throws {Error} If a package states no licence.
 */
export async function toLicenses(chunks) {
  const ids = chunks.flatMap(({ moduleIds = [] }) => moduleIds)
  const paths = ids.flatMap((id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? [])
  const sections = await Promise.all([...new Set(paths)].sort().map(toSection))
  return `# Licences of the bundled packages\n\n${sections.join('\n')}`
}

/** A package without a licence file states its licence only in its manifest. */
async function toSection(directory) {
  const { name, version, license } = JSON.parse(await readFile(`${directory}/package.json`, 'utf8'))
  if (!license) throw new Error(`${name} states no licence`)
  const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : await readFile(`${directory}/${file}`, 'utf8')
  return `## ${name} ${version} (${license})\n\n${text.trim()}\n`
}
