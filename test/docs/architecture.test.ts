import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const { layers } = await import(new URL('lint/import-order.js', root).href)
const page = await readFile(new URL('docs/architecture.md', root), 'utf8')

test('docs/architecture.md lists the rooms in the order of lint/import-order.js', async () => {
  const rooms = [...page.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name]) => name)

  expect(rooms).toEqual(layers)
})

test('docs/architecture.md draws every room, and each arrow that it draws points downwards', async () => {
  const [, picture = ''] = /```mermaid\n([^`]*)```/.exec(page) ?? []
  const arrows = [...picture.matchAll(/^ {2}(\w+)(?:\[[^\]]*\])? (?:-->|-\..*\.->) (.*)$/gm)]
  const pairs = arrows.flatMap(([, from = '', to = '']) =>
    to.split(' & ').map((name) => [from, name]),
  )
  const upwards = pairs.filter(
    ([from, to]) => from !== 'entry' && layers.indexOf(from) >= layers.indexOf(to),
  )

  expect([...new Set(pairs.flat())].toSorted()).toEqual(['entry', ...layers].toSorted())
  expect(upwards).toEqual([])
})

test('src has exactly the rooms of the page', async () => {
  const entries = await readdir(new URL('src/', root), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)

  expect(folders.toSorted()).toEqual(layers.toSorted())
})

test('docs/architecture.md names only files and folders that exist', async () => {
  const named = [...page.matchAll(/`(src\/[\w/.-]+)`/g)].map(([, path = '']) => path)

  expect(named.length).toBeGreaterThan(5)
  for (const path of named) {
    const url = new URL(path, root)
    const isThere = await readFile(url).then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code === 'EISDIR',
    )
    expect(isThere, path).toBe(true)
  }
})
