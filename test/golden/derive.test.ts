import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url).pathname
const directories = ['.ci', 'bench', 'build', 'deploy', 'examples', 'lint', 'scripts']

/** How a script would write golden files, or have them written. */
const writing = /golden\/(?:accept|files)|run golden\b|--accept\b/

test('accept.js alone writes golden files: no other script and no check does', async () => {
  const naming: string[] = []
  for (const path of await listScripts()) {
    if (writing.test(await readFile(join(root, path), 'utf8'))) naming.push(path)
  }
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const running = Object.keys(scripts).filter((name) => writing.test(scripts[name] ?? ''))
  expect([...naming, ...running]).toEqual(['golden'])
})

/** Lists the files that scripts of the package and the continuous integration run. */
async function listScripts(): Promise<string[]> {
  const lists = await Promise.all(
    directories.map(async (directory) => {
      const entries = await readdir(join(root, directory), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile() && /^[^.]*$|\.[jt]sx?$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    }),
  )
  return lists.flat().filter((path) => !path.includes('node_modules'))
}
