import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { toFidelityMarkdown } from '../../scripts/fidelity/page.js'
import { readStatements } from '../../scripts/fidelity/specification.js'
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

describe('readStatements', () => {
  test('returns the headings, sentences, list items and rows with their section', () => {
    const page = `# Title

One. Two (see section 9).

## 3. States

- Name: a. Method: \`GET /a\`.
1. First, 1,000.

### 3.1 Rows

| A | B |
|---|---|
| x | \`y\` |
`
    expect(readStatements(page)).toEqual([
      { section: 'introduction', sentence: 'One.', kind: 'sentence' },
      { section: 'introduction', sentence: 'Two (see section 9).', kind: 'sentence' },
      { section: '3', sentence: 'States', kind: 'heading' },
      { section: '3', sentence: 'Name: a.', kind: 'sentence' },
      { section: '3', sentence: 'Method: `GET /a`.', kind: 'sentence' },
      { section: '3', sentence: 'First, 1,000.', kind: 'sentence' },
      { section: '3.1', sentence: 'Rows', kind: 'heading' },
      { section: '3.1', sentence: 'x | `y`', kind: 'row' },
    ])
  })
})
