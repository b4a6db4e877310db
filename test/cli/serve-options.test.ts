import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectory, run, runServe, serve, until } from './support.js'

test.each([
  ['--port', 'abc', 'an integer from 0 to 65535'],
  ['--port', '-1', 'an integer from 0 to 65535'],
  ['--port', '65536', 'an integer from 0 to 65535'],
  ['--port', '80.5', 'an integer from 0 to 65535'],
  ['--port', '0x50', 'an integer from 0 to 65535'],
  ['--port', ' 80', 'an integer from 0 to 65535'],
  ['--scenario', ',', 'a scenario name or a .json file'],
  ['--scenarios', '', 'a string that is not empty'],
  ['--handlers', '', 'a string that is not empty'],
  ['--host', '', 'a string that is not empty'],
  [
    '--public-url',
    'sandbox.example',
    'an http or https URL without a query, such as "https://sandbox.example/petstore"',
  ],
  [
    '--allowed-hosts',
    'https://shop.example',
    'a host name without a port, such as "shop.example" or ".shop.example"',
  ],
  ['--journal-header', 'X Trace', 'the name of a header'],
])('serve rejects %s %j in one line with the flag and the wanted value', async (...row) => {
  const [flag, value, wanted] = row
  const { code, stdout, stderr } = await run(['serve', `${flag}=${value}`])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^petstore-sandbox: [^\n]+; see petstore-sandbox serve --help\n$/)
  expect(stderr).toContain(`${flag} must be ${wanted}, found ${JSON.stringify(value)}`)
})

const secretForm = 'a secret of at least 16 characters, or several separated by commas'
const tokenForm = 'a token of at least 16 printable ASCII characters without spaces'
test.each([
  ['--key-secret', 'too-short-1', secretForm],
  ['--key-secret', 'a secret of the operator,too-short-1', secretForm],
  ['--key-issuing', 'too-short-1', `open, off or ${tokenForm}`],
  ['--control', 'too-short-1', `own, off or ${tokenForm}`],
  ['--control', 'open', `own, off or ${tokenForm}`],
])('serve rejects %s %j without printing the value', async (flag, value, wanted) => {
  const variable = `PETSTORE_SANDBOX_${flag.slice(2).replace('-', '_').toUpperCase()}`
  const outcomes = [
    await run(['serve', `${flag}=${value}`]),
    await run(['serve'], { [variable]: value }),
  ]
  for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      `petstore-sandbox: ${[flag, variable][index]} must be ${wanted}, found "…" (string); see petstore-sandbox serve --help\n`,
    )
  }
})

test.each([
  ['PETSTORE_SANDBOX_PORT', 'abc'],
  ['PORT', '99999'],
  ['PETSTORE_SANDBOX_MAX_WORLDS', '-3'],
  ['PETSTORE_SANDBOX_LOG', 'xml'],
  ['PETSTORE_SANDBOX_WATCH', 'perhaps'],
])('serve names the variable %s if its value %j is invalid', async (name, value) => {
  const { code, stderr } = await run(['serve'], { [name]: value })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^petstore-sandbox: [^\n]+\n$/)
  expect(stderr).toContain(`${name} must be `)
})

test.each([
  ['serve', 'found "" (string)'],
  ['key', 'found "" (string); see petstore-sandbox key --help'],
])('%s rejects an empty key secret, which would accept every key', async (command, found) => {
  const variable = 'PETSTORE_SANDBOX_KEY_SECRET'
  const sources = [
    ['--key-secret', await run([command, '--key-secret='])],
    [variable, await run([command], { [variable]: '' })],
  ] as const
  for (const [source, { code, stdout, stderr }] of sources) {
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`petstore-sandbox: ${source} must be ${secretForm}, ${found}`)
  }
})

test('serve names the unknown variables with its prefix, and the nearest known ones', async () => {
  const env = {
    PETSTORE_SANDBOX_KEY_SECERT: 'a secret of the operator',
    PETSTORE_SANDBOX_TIME_TO_LIVE: '5',
    PETSTORE_SANDBOX_URL: 'http://127.0.0.1:4010', // of another command
    PETSTORE_SANDBOX_REPORT: 'a value', // of the Playwright fixture
    PETSTORE_API_KEY: 'a key',
  }
  const lines = [
    'PETSTORE_SANDBOX_KEY_SECERT is not a variable of petstore-sandbox and has no effect; did you mean PETSTORE_SANDBOX_KEY_SECRET?',
    'PETSTORE_SANDBOX_TIME_TO_LIVE is not a variable of petstore-sandbox and has no effect; petstore-sandbox help serve lists them',
  ]
  const served = await serve([], env)
  const events = () => served.read().stdout.trimEnd().split('\n')
  await until(() => events().length > lines.length)
  expect(
    events()
      .slice(1)
      .map((line) => JSON.parse(line)),
  ).toEqual(lines.map((line) => ({ time: expect.any(String), event: 'warning', line })))
  const { stderr } = await runServe([], env)
  expect(
    stderr
      .replaceAll(/^\S+ {2}/gm, '')
      .trimEnd()
      .split('\n'),
  ).toEqual(lines)
  expect((await runServe([])).stderr).toBe('')
})

test.each([
  [['--scenario', 'low-stok'], 'did you mean "low-stock"?'],
  [['--scenario', './none.json'], 'none.json: must be a readable file, found ENOENT'],
  [['--scenarios', './none'], './none: must be a readable directory, found ENOENT'],
  [['--handlers', './none.js'], '--handlers must be an ES module'],
  [['--watch'], '--watch requires --scenarios DIR or --scenario FILE.json'],
  [['--host', '192.0.2.1'], 'cannot listen on 192.0.2.1:0'],
])('serve %j fails in one line', async (args, reason) => {
  const { code, stdout, stderr } = await run(['serve', '--port', '0', ...args])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^petstore-sandbox: [^\n]+\n$/)
  expect(stderr).toContain(reason)
})

test('serve of an unknown scenario lists the known ones', async () => {
  const { code, stderr } = await run(['serve', '--scenario', 'default,nope'])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^petstore-sandbox: scenario: must be the name of a known scenario, found "nope" \(string\); known: default, .*\n$/,
  )
})

test('serve --data with a file says what it must be', async () => {
  const file = join(await createDirectory({ 'file.txt': '' }), 'file.txt')
  const { code, stderr } = await run(['serve', '--data', file])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^petstore-sandbox: \S+file\.txt must be a directory, found a file; use another path\n$/,
  )
})

test('serve rejects an invalid scenario file in one line that refers to check', async () => {
  const directory = await createDirectory({ 'a.json': { name: 'A', seed: 'x' } })
  const { code, stderr } = await run(['serve', '--port', '0', '--scenarios', directory])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^petstore-sandbox: \S+a\.json: name must be .+; and 1 more, which petstore-sandbox check \S+a\.json prints\n$/,
  )
})

test.each([
  ['export const other = 1', 'found undefined'],
  ['export default { handlers: [] }', 'found an object'],
  ['export const handlers = [1]', 'found 1 (number) at [0]'],
  ['export default [', 'cannot be loaded'],
  ['throw new Error("first\\nsecond")', 'cannot be loaded: first'],
])('serve rejects a handlers file with %j in one line', async (text, found) => {
  const file = join(await createDirectory({ 'handlers.mjs': text }), 'handlers.mjs')
  const { code, stderr } = await run(['serve', '--port', '0', '--handlers', file])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^petstore-sandbox: --handlers must be an ES module [^\n]+\n$/)
  expect(stderr).toContain(found)
})

test('serve reads its options from environment variables and ignores empty ones', async () => {
  const directory = await createDirectory({ 'shop.json': { name: 'my-shop', extends: 'default' } })
  const { started } = await serve([], {
    PETSTORE_SANDBOX_HOST: 'localhost',
    PETSTORE_SANDBOX_SCENARIO: 'my-shop, sunset-soon',
    PETSTORE_SANDBOX_SCENARIOS: directory,
    PETSTORE_SANDBOX_WATCH: 'false',
    PETSTORE_SANDBOX_LOG: 'xml', // the command line takes precedence
    PETSTORE_SANDBOX_MAX_WORLDS: '',
  })
  expect(started.scenario).toBe('my-shop+sunset-soon')
  expect(started.urls.api).toMatch(/^http:\/\/localhost:\d+\/v1$/)
})

test('serve reads PORT, and PETSTORE_SANDBOX_PORT takes precedence', async () => {
  const both = await run(['serve'], { PETSTORE_SANDBOX_PORT: 'first', PORT: 'second' })
  expect(both.stderr).toContain('PETSTORE_SANDBOX_PORT must be')
  const second = await run(['serve'], { PETSTORE_SANDBOX_PORT: '', PORT: 'second' })
  expect(second.stderr).toContain('PORT must be an integer from 0 to 65535, found "second"')
})

test.each([
  ['serve', ['serve', '--public-url', 'https://user:secret@sandbox.example']],
  ['serve', ['serve', '--redis', 'http://user:secret@127.0.0.1:6379']],
  ['world', ['world', 'show', '--url', 'http://user:secret@127.0.0.1:4010']],
  ['openapi', ['openapi', '--public-url', 'https://user:secret@sandbox.example']],
])('%s rejects a URL with a password without printing it: %j', async (_, args) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(', found one with a user name or a password; see ')
  expect(stderr).not.toContain('secret')
})
