import { readdir, readFile } from 'node:fs/promises'

/** Collects the licences of the packages whose code becomes part of a bundle. */
export class LicenseCollector {
  #directories = new Set()

  /** Creates a plugin that collects the packages of a bundle. */
  plugin() {
    return {
      name: 'collect-licenses',
      generateBundle: (_options, bundle) => {
        for (const { moduleIds = [] } of Object.values(bundle)) {
          for (const id of moduleIds) this.#add(id)
        }
      },
    }
  }

  /**
   * Returns the licences of all packages, by name.
   *
   * @throws {Error} If a package states no licence.
   */
  async toMarkdown() {
    const sections = await Promise.all([...this.#directories].sort().map(toSection))
    return `# Licences of the bundled packages\n\n${sections.join('\n')}`
  }

  #add(id) {
    const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)
    if (match) this.#directories.add(match[1])
  }
}

/** A package without a licence file states its licence only in its manifest. */
async function toSection(directory) {
  const { name, version, license } = JSON.parse(await readFile(`${directory}/package.json`, 'utf8'))
  if (!license) throw new Error(`${name} states no licence`)
  const file = (await readdir(directory)).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? '' : await readFile(`${directory}/${file}`, 'utf8')
  return `## ${name} ${version} (${license})\n\n${text.trim()}\n`
}
