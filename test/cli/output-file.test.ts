import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectory, run } from './support.js'
import { serveWorld } from './world-support.js'

test.each([
  ['openapi', 1],
  ['world snapshot', 1],
  ['world report', 2],
  ['verify --key sbx_pro', 2],
] as const)('%s replaces an existing file only with --force', async (command, failed) => {
  const { url } = await serveWorld()
  const file = join(await createDirectory({ 'kept.txt': 'kept' }), 'kept.txt')
  const env = { PETSTORE_SANDBOX_URL: url }
  const target = command.startsWith('verify') ? ['--url', `${url}/v1`] : []
  const args = [...command.split(' '), ...target, '--output', file]
  expect(await run(args, env)).toEqual({
    code: failed,
    stdout: '',
    stderr: `petstore-sandbox: ${file} exists; replace it with --force, or set another --output\n`,
  })
  expect(await readFile(file, 'utf8')).toBe('kept')
  const { code, stderr } = await run([...args, '--force'], env)
  expect(code).toBe(0)
  expect(stderr).toContain(`wrote ${file}\n`)
  expect(await readFile(file, 'utf8')).not.toBe('kept')
})
