import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { toFidelityMarkdown } from '../../scripts/fidelity/page.js'
import { checkedTransports } from '../../scripts/fidelity/transports.js'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFile(new URL(path, root), 'utf8')

test('docs/fidelity.md matches the checks; if not, run npm run derive', async () => {
  const page = toFidelityMarkdown(await read('docs/specification.md'))
  expect(await read('docs/fidelity.md')).toBe(page)
  expect(page).not.toContain('none: missing')
})

test('docs/fidelity.md names every test file that runs the checks', async () => {
  const names = await readdir(new URL('test/', root), { recursive: true })
  const files: string[] = []
  for (const name of names.filter((path) => path.endsWith('.test.ts'))) {
    const content = await read(`test/${name}`)
    if (/describe(Service|Specification)\(\w+/.test(content)) files.push(`test/${name}`)
  }
  const named = new Set(checkedTransports.map(({ file }) => file))
  expect([...named].toSorted()).toEqual(files.toSorted())
})
