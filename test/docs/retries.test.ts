import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFile(new URL(path, root), 'utf8')

// npm run retries writes the tables.
test('docs/retries.md names the measured releases, as the lock file has them', async () => {
  const page = await read('docs/retries.md')
  const { packages } = JSON.parse(await read('bench/retries/package-lock.json'))
  const versionOf = (name: string) => packages[`node_modules/${name}`].version
  const names = [
    `TanStack Query ${versionOf('@tanstack/query-core')}`,
    `SWR ${versionOf('swr')}`,
    `ky ${versionOf('ky')}`,
    `got ${versionOf('got')}`,
    `axios with axios-retry ${versionOf('axios')}, ${versionOf('axios-retry')}`,
    `undici RetryAgent ${versionOf('undici')}`,
    `bottleneck ${versionOf('bottleneck')}`,
    `p-retry ${versionOf('p-retry')}`,
  ]
  for (const name of names) expect(page).toContain(`| ${name} |`)
})
