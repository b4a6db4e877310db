import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseApiKey } from '../../src/service/api-key.js'
import { createDirectory, run, serve } from './support.js'

test('key has a unique label', async () => {
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => run(['key'])))
  const labels = outcomes.map(({ stdout }) => parseApiKey(stdout.trim())?.label ?? '')
  expect(new Set(labels).size).toBe(200)
  for (const label of labels) expect(label).toMatch(/^[0-9a-f]{40}$/)
})

const secret = 'a secret of the operator'

test.each([
  ['the option', ['--key-secret', secret], {}],
  ['the variable', [], { PETSTORE_SANDBOX_KEY_SECRET: secret }],
  ['a previous secret after it', ['--key-secret', `${secret},the previous secret`], {}],
])('key signs the key with %s, so that a sandbox with the secret accepts it', async (...row) => {
  const [, args, env] = row
  const { stdout } = await run(['key', '--label', 'acme', ...args], env)
  expect(stdout).toMatch(/^sbx_free_default_acme-[0-9a-f]{32}\n$/)
  const { send } = await serve(['--key-secret', secret])
  const statusOf = async (key: string) => (await send('GET /v1/inventory', { key })).status
  expect(await statusOf(stdout.trim())).toBe(200)
  expect(await statusOf('sbx_free_default_acme')).toBe(401)
})

test('key and serve read the secret from a file, with previous secrets on lines of their own', async () => {
  const secrets = `the next secret of it\n${secret}\n`
  const file = join(await createDirectory({ 'key-secret': secrets }), 'key-secret')
  const { send } = await serve(['--key-secret-file', file])
  for (const args of [
    ['--key-secret', secret],
    ['--key-secret-file', file],
  ]) {
    const { stdout } = await run(['key', '--label', 'acme', ...args])
    expect((await send('GET /v1/inventory', { key: stdout.trim() })).status).toBe(200)
  }
})

test('an empty variable for the file is an error, because everyone would have access', async () => {
  const { code, stderr } = await run(['key'], { PETSTORE_SANDBOX_KEY_SECRET_FILE: '' })
  expect(code).toBe(1)
  expect(stderr).toContain('PETSTORE_SANDBOX_KEY_SECRET_FILE must be a text file')
})

test.each([
  ['key', ['--key-secret', secret], 'a longer secret of it', /exclude each other/],
  ['serve', ['--key-secret', secret], 'a longer secret of it', /exclude each other/],
  ['serve', [], 'short', /--key-secret-file must be a text file .*with a secret of at least 16/],
  ['key', [], undefined, /--key-secret-file must be a text file .*, found ".*missing"/],
  ['serve', [], '\0'.repeat(20), /must be a text file/],
  ['serve', [], Buffer.from('e9'.repeat(20), 'hex'), /must be a text file/],
  ['key', [], `${secret}\n# the secret of last year`, /without lines that begin with #/],
  ['key', [], 'x'.repeat(65_537), /of at most 64 KiB/],
])('%s with %j and a file with the secret %s fails', async (command, args, content, message) => {
  const directory = await createDirectory({})
  const path = join(directory, content === undefined ? 'missing' : 'secret')
  if (content !== undefined) await writeFile(path, content)
  const { code, stderr } = await run([command, ...args, '--key-secret-file', path])
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) })
  if (content) expect(stderr).not.toContain(String(content))
})

test.each([
  ['90d', () => Date.now() + 90 * 86_400_000],
  ['2999-12-31', () => Date.parse('2999-12-31')],
  ['2999-12-31T18:00:00+01:00', () => Date.parse('2999-12-31T17:00:00Z')],
])('key --expires %s prints a key that ends then, and a link to the console', async (time, end) => {
  const { stdout } = await run([
    ...['key', '--label', 'acme', '--key-secret', secret, '--expires', time],
    ...['--url', 'https://sandbox.example/petstore/', '--json'],
  ])
  const { apiKey, expiresAt, consoleUrl } = JSON.parse(stdout)
  expect(Math.abs(Date.parse(expiresAt) - end())).toBeLessThan(60_000)
  expect(apiKey).toContain(`_acme.${Date.parse(expiresAt) / 1_000}-`)
  expect(consoleUrl).toBe(`https://sandbox.example/petstore/#key=${apiKey}`)
})

test('key --url prints the key and the link on lines of their own', async () => {
  const { stdout } = await run(['key', '--label', 'a', '--url', 'http://127.0.0.1:4010'])
  expect(stdout).toBe('sbx_free_default_a\nhttp://127.0.0.1:4010/#key=sbx_free_default_a\n')
})
