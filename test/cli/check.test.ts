import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectory, run } from './support.js'

const pet = { petId: 1, name: 'Bella', status: 'available', quantity: 4 }

test('check exits with 0 for a file that extends a built-in scenario and a file of its directory', async () => {
  const directory = await createDirectory({
    'base.json': { name: 'base', extends: 'default' },
    'shop.json': { name: 'shop', extends: ['base', 'low-stock'] },
  })
  const path = join(directory, 'shop.json')
  const { code, stdout, stderr } = await run(['check', path])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${path}: valid\n`, stderr: '' })
})

test('check prints the file, the JSON path, the wanted and the found value of each problem', async () => {
  const directory = await createDirectory({
    'shop.json': { name: 'shop', pets: [{ ...pet, quantity: '5' }], clock: 1 },
  })
  const path = join(directory, 'shop.json')
  const { code, stdout, stderr } = await run(['check', path])
  expect(code).toBe(1)
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines).toContainEqual(
    expect.stringMatching(
      /shop\.json: pets\[0\]\.quantity must be an integer.*, found "5" \(string\)$/,
    ),
  )
  expect(lines).toContainEqual(expect.stringMatching(/shop\.json: clock must be .*, found 1/))
  expect(stderr).toBe('petstore-sandbox: 1 of 1 files are invalid\n')
})

test.each([
  ["line 2, column 10: Unexpected character 'o' found", '{"name": "shop",\n "seed": oops}'],
  ["line 2, column 13: Unexpected ']' found", '{"name": "shop",\n "pets": [1,]\n}'],
  ['line 3, column 1: Expected double-quoted property name', '{"name": "shop",\n "pets": [],\n}'],
  ["line 1, column 17: Expected ',' or '}' after property value", '{"name": "shop" "seed": 1}'],
  ['line 1, column 12: Bad control character in string literal', '{"name": "a\tb"}'],
  ['line 2, column 11: Unexpected end of input', '{"name": "shop",\n "pets": ['],
  ['line 1, column 100001: Unexpected end of input', '['.repeat(100_000)],
  ['line 1, column 1: Unexpected end of input', ''],
])('check prints where and why a file is not JSON: %s', async (reason, text) => {
  const directory = await createDirectory({ 'shop.json': text })
  const { code, stdout } = await run(['check', join(directory, 'shop.json')])
  expect(code).toBe(1)
  expect(stdout).toContain(`shop.json: must be JSON, found ${reason}\n`)
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
})

test('check accepts a file with a byte order mark', async () => {
  const directory = await createDirectory({ 'shop.json': '\uFEFF{"name": "shop"}' })
  expect((await run(['check', join(directory, 'shop.json')])).code).toBe(0)
})

test('check finds extended scenarios in --scenarios', async () => {
  const shared = await createDirectory({ 'base.json': { name: 'base' } })
  const own = await createDirectory({ 'shop.json': { name: 'shop', extends: 'base' } })
  const path = join(own, 'shop.json')
  expect((await run(['check', path])).code).toBe(1)
  expect((await run(['check', path, '--scenarios', shared])).code).toBe(0)
})

test('check prints the problems of an extended file in the same directory', async () => {
  const directory = await createDirectory({
    'base.json': { name: 'base', seed: 'x' },
    'shop.json': { name: 'shop', extends: 'base' },
  })
  const { code, stdout } = await run(['check', join(directory, 'shop.json')])
  expect(code).toBe(1)
  expect(stdout).toContain('shop.json: extends must name known scenarios, found "base"')
  expect(stdout).toContain('base.json: seed must be')
})

test('check rejects the name of another file in the directory', async () => {
  const directory = await createDirectory({
    'a.json': { name: 'shop' },
    'b.json': { name: 'shop' },
  })
  const { code, stdout } = await run(['check', join(directory, 'b.json')])
  expect(code).toBe(1)
  expect(stdout).toContain('b.json: name must be unique, found shop in')
})

test('check reports contradictions between merged scenarios', async () => {
  const directory = await createDirectory({
    'one.json': { name: 'one', deprecation: { deprecatedAt: 'P9D' } },
    'two.json': { name: 'two', deprecation: { sunsetAt: 'P8D' } },
    'shop.json': { name: 'shop', extends: ['one', 'two'] },
  })
  const { code, stdout } = await run(['check', join(directory, 'shop.json')])
  expect(code).toBe(1)
  expect(stdout).toContain(
    'shop.json: deprecation.sunsetAt must be at or after deprecation.deprecatedAt, "P9D", found "P8D"',
  )
})

test('check checks every file of a directory and counts the invalid ones', async () => {
  const directory = await createDirectory({
    'good.json': { name: 'good' },
    'bad.json': { name: 'Bad' },
    'worse.json': [],
  })
  const { code, stdout, stderr } = await run(['check', directory])
  expect(code).toBe(1)
  expect(stdout).toContain('good.json: valid\n')
  expect(stderr).toContain('2 of 3 files are invalid')
})

test('check accepts the built-in scenarios', async () => {
  const { code } = await run(['check', 'scenarios'])
  expect(code).toBe(0)
})

test.each([
  ['a missing file', 'none.json', /none\.json: must be a readable file/],
  ['a directory without files', '.', /no \.json file in/],
])('check rejects %s', async (_title, name, reason) => {
  const directory = await createDirectory({})
  const { code, stdout, stderr } = await run(['check', join(directory, name)])
  expect(code).toBe(1)
  expect(stdout + stderr).toMatch(reason)
})
