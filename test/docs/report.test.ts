import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { reportFormats } from '../../src/report/format/formats.js'
import { rules } from '../../src/report/rules/rules.js'
import { createDirectory } from '../cli/support.js'
import { readShellBlocks, run, start } from './shell.js'

const page = await readFile(new URL('../../docs/report.md', import.meta.url), 'utf8')
const [first = '', ci = '', ...others] = readShellBlocks(page)

// To update the table: npx vitest run --config test/vitest.config.ts test/docs/report.test.ts -u
test('docs/report.md lists every rule', async () => {
  const rows = rules.map(({ id, severity, title, examines, source }) =>
    ['', `\`${id}\``, severity, title, examines, source, ''].join(' | ').trim(),
  )
  const table = [
    '| rule | severity | the client | examined are | source |',
    '|---|---|---|---|---|',
  ]
  const [before = '', rest = ''] = page.split('<!-- rules -->\n')
  const [, after = ''] = rest.split('<!-- end: rules -->\n')
  const filled = `${before}<!-- rules -->\n${[...table, ...rows].join('\n')}\n<!-- end: rules -->\n${after}`
  await expect(filled).toMatchFileSnapshot('../../docs/report.md')
})

test('docs/report.md lists every format', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(listed.filter((name) => name !== undefined && name in reportFormats)).toEqual(
    Object.keys(reportFormats),
  )
})

test('the commands of docs/report.md print a report, write files, and fail below a threshold', async () => {
  expect(others).toEqual([])
  const url = await start('npm start')
  const directory = await createDirectory({})
  const toScript = (block: string) =>
    `export PETSTORE_SANDBOX_URL=${url}\n${block.replaceAll('http://127.0.0.1:4010', url)}`

  const printed = await run(toScript(first))
  expect(printed).toContain('World     production/default/report\n')
  expect(printed).toMatch(/^Requests {2}1\n[\s\S]*^COVERAGE {2}1 of \d+ combinations/m)

  const [key = ''] = first.split('\n')
  const script = toScript(`${key}\n${ci}`).replaceAll('report.', join(directory, 'report.'))
  const failure: unknown = await run(script).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^petstore-sandbox: coverage must be at least 80 %, found 1 of/m),
  })
  expect(await readFile(join(directory, 'report.html'), 'utf8')).toContain('<!doctype html>')
  expect(await readFile(join(directory, 'report.xml'), 'utf8')).toContain('<testsuites ')
})
