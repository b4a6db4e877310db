import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { toControlReferenceMarkdown } from '../../scripts/reference/control.js'
import { toReferenceMarkdown } from '../../scripts/reference/service.js'

test('docs/reference.md matches the definitions; if not, run npm run derive', async () => {
  const page = await readFile(new URL('../../docs/reference.md', import.meta.url), 'utf8')
  expect(page).toBe(`${toReferenceMarkdown()}\n${toControlReferenceMarkdown()}`)
})
