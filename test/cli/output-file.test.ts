import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectory, run } from './support.js'
import { serveWorld } from './world-support.js'

/** Creates a file that a command is to write. Returns it, and a function that runs the command. */
async function open(command: string) {
  const { url } = await serveWorld()
  const file = join(await createDirectory({ 'kept.txt': 'kept' }), 'kept.txt')
  const target = command.startsWith('verify') ? ['--url', `${url}/v1`] : []
  const args = [...command.split(' '), ...target, '--output', file]
  return { file, runIt: () => run(args, { PETSTORE_SANDBOX_URL: url }) }
}

test('world snapshot replaces an existing file only with --force', async () => {
  const { file, runIt } = await open('world snapshot')
  expect(await runIt()).toEqual({
    code: 1,
    stdout: '',
    stderr: `petstore-sandbox: cannot write --output ${file}: it exists; replace it with --force, or set another --output\n`,
  })
  expect(await readFile(file, 'utf8')).toBe('kept')
})

test.each(['world snapshot --force', 'openapi', 'world report', 'verify --key sbx_pro'])(
  '%s replaces an existing file',
  async (command) => {
    const { file, runIt } = await open(command)
    const { code, stderr } = await runIt()
    expect(code).toBe(0)
    expect(stderr).toContain(`wrote ${file}\n`)
    expect(await readFile(file, 'utf8')).not.toBe('kept')
  },
)

test('a directory cannot be written, and the message says what to do', async () => {
  const output = await createDirectory({})
  const { stderr } = await run(['openapi', '--output', output])
  const reason = 'it is a directory; add the name of a file'
  expect(stderr).toBe(`petstore-sandbox: cannot write --output ${output}: ${reason}\n`)
})
