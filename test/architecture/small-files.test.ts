import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../../src')

/** Number of lines from which a file with one importer is worth a file of its own. */
const minimumLines = 40

/** Maximum number of lines of a file. */
const maximumLines = 350

/** A file with fewer lines than the minimum, and the only file that imports it. */
interface SmallFile {
  readonly path: string
  readonly importer: string
  readonly isDynamic: boolean
  readonly linesTogether: number
}

/** Reasons for which a small file with one importer stays. Paths are relative to `src`. */
const reasons: Readonly<Record<string, (file: SmallFile) => boolean>> = {
  'a table has one file per entry': ({ path, importer }) =>
    path.endsWith('/table.ts') || importer.endsWith('/table.ts'),
  'the folder has one file per command or check': ({ path }) =>
    path.startsWith('cli/commands/') || path.startsWith('verify/checks/'),
  'entry points contain only exports': ({ importer }) => !importer.includes('/'),
  'import() separates a bundle': ({ isDynamic }) => isDynamic,
  'the importer would be too long': ({ linesTogether }) => linesTogether > maximumLines,
}

/** Returns the small files among files with these texts. */
function findSmallFiles(texts: ReadonlyMap<string, string>): SmallFile[] {
  const importers = new Map<string, { importer: string; isDynamic: boolean }[]>()
  for (const [importer, text] of texts) {
    for (const [, word, target = ''] of text.matchAll(/\b(from |import |import\()'(\.[^']+)'/g)) {
      const name = join(importer, '..', target).replace(/\.js$/, '')
      const path = texts.has(`${name}.ts`) ? `${name}.ts` : `${name}.tsx`
      const found = importers.get(path)?.filter((other) => other.importer !== importer) ?? []
      importers.set(path, [...found, { importer, isDynamic: word === 'import(' }])
    }
  }
  const countLines = (path: string) => (texts.get(path) ?? '').split('\n').length - 1
  return [...texts.keys()].flatMap((path) => {
    const [only, ...others] = importers.get(path) ?? []
    if (!only || others.length > 0 || countLines(path) >= minimumLines) return []
    return [{ path, ...only, linesTogether: countLines(path) + countLines(only.importer) }]
  })
}

test('a file with few lines and one importer is found', () => {
  const small = { path: 'a/small.tsx', importer: 'b/long.ts', isDynamic: true, linesTogether: 2 }
  const texts = new Map([['a/small.tsx', "export const a = 'a'\n"]])
  texts.set('b/long.ts', "const { a } = await import('../a/small.js')\n")
  expect(findSmallFiles(texts)).toEqual([small])
  expect(findSmallFiles(texts.set('c.ts', "import { a } from './a/small.js'\n"))).toEqual([])
})

test(`a file of src with fewer than ${minimumLines} lines and one importer is part of it, unless there is a reason`, async () => {
  const paths = (await readdir(src, { recursive: true })).filter((path) => /\.tsx?$/.test(path))
  const entries = paths.map(
    async (path) => [path, await readFile(join(src, path), 'utf8')] as const,
  )
  const files = findSmallFiles(new Map(await Promise.all(entries)))
  const hasReason = (file: SmallFile) => Object.values(reasons).some((holds) => holds(file))
  expect(files.filter((file) => !hasReason(file))).toEqual([])
})
