import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const folder = new URL('../../lint/', import.meta.url)

test('lint/import-order.json matches the order in import-order.js; if not, run npm run derive', async () => {
  const { toBiomeConfig } = await import(new URL('import-order.js', folder).href)
  const file = await readFile(new URL('import-order.json', folder), 'utf8')
  expect(JSON.parse(file)).toEqual(toBiomeConfig())
})
