import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createDirectory } from '../cli/support.js'
import { readShellBlocks, run, start } from './shell.js'

const page = await readFile(new URL('../../docs/support.md', import.meta.url), 'utf8')

test('docs/support.md leads from the id of a request to the log and the journal', async () => {
  const directory = await createDirectory({})
  const inDirectory = (block: string) =>
    block.replaceAll(/ (key-secret|sandbox\.log)/g, ` ${directory}/$1`)
  const [begin = '', send = '', search = '', explain = '', ...others] =
    readShellBlocks(page).map(inDirectory)
  expect(others).toEqual([])
  const [createSecret = '', serve = '', createKey = ''] = begin.split('\n')
  await run(createSecret)

  const url = await start(serve)
  const key = (await run(createKey)).trim()
  const response = await run(`KEY=${key}\n${send.replace('http://127.0.0.1:4010', url)}`)
  expect(response).toContain('X-Request-Id: acme-42\r\n')
  const line = JSON.parse(await run(search))
  const { at, kept } = { at: '2026-01-31T09:00:00.000Z', kept: readBlock('json') }
  expect(line).toMatchObject(JSON.parse(kept))
  const printed = await run(`export PETSTORE_SANDBOX_URL=${url}\n${explain}`)
  const withTimes = printed
    .replace(/\d{4}-\S+Z/, at)
    .replace(/resets \S+/, 'resets 2026-01-31T09:01:00Z')
  expect(withTimes).toBe(readBlock('text'))
})

function readBlock(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? ''
}
