import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

test('check --json prints the problems of each file with their places, and exits with 1', async () => {
  const directory = await createDirectory({
    'shop.json': { name: 'shop', pets: [{ ...pet, quantity: '5' }] },
    'valid.json': { name: 'valid', extends: 'default' },
  })
  const { code, stdout, stderr } = await run(['check', directory, '--json'])
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'petstore-sandbox: 1 of 2 files are invalid\n',
  })
  const message = expect.stringContaining('pets[0].quantity must be an integer')
  expect(JSON.parse(stdout)).toEqual([
    { file: join(directory, 'shop.json'), problems: [{ message, line: 8, column: 7 }] },
    { file: join(directory, 'valid.json'), problems: [] },
  ])
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
      /shop\.json:8:7: pets\[0\]\.quantity must be an integer.*, found "5" \(string\)$/,
    ),
  )
  expect(lines).toContainEqual(expect.stringMatching(/shop\.json:11:3: clock must be .*, found 1/))
  expect(stderr).toBe('petstore-sandbox: 1 of 1 files are invalid\n')
})

test.each([
  [
    ':2:10: must be JSON, expected a value, or a name in double quotes, found "oops"',
    '{"name": "shop",\n "seed": oops}',
  ],
  [
    ':2:13: must be JSON, expected a value after the comma, found "]"',
    '{"name": "shop",\n "pets": [1,]\n}',
  ],
  [':1:17: must be JSON, expected a comma, found "seed"', '{"name": "shop" "seed": 1}'],
  [':1:10: must be JSON, expected no control character, found "a\\tb"', '{"name": "a\tb"}'],
  [
    ':2:11: must be JSON, expected a comma or ], found the end of the document',
    '{"name": "shop",\n "pets": [',
  ],
  [': must be JSON, found too many nested levels', '['.repeat(100_000)],
  [':1:1: must be JSON, expected a value, found the end of the document', ''],
])('check prints where and why a file is not JSON: %s', async (reason, text) => {
  const directory = await createDirectory({ 'shop.json': text })
  const { code, stdout } = await run(['check', join(directory, 'shop.json')])
  expect(code).toBe(1)
  expect(stdout).toBe(`${join(directory, 'shop.json')}${reason}\n`)
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

test('check names the invalid file that has the name of an unknown scenario', async () => {
  const directory = await createDirectory({
    'base.json': { name: 'base', seed: 'x' },
    'stock.json': { name: 'stock', extends: 'base' },
    'package.json': '{}',
    'shop.json': { name: 'shop', extends: ['default', 'stock'] },
  })
  const path = join(directory, 'shop.json')
  const { code, stdout } = await run(['check', path])
  expect(code).toBe(1)
  const [unknown, ...others] = stdout.trimEnd().split('\n')
  expect(unknown).toMatch(
    /shop\.json:3:3: extends must name known scenarios, found "base" \(string\) in shop -> stock; /,
  )
  expect(others).toEqual([
    `${path}: the file ${join(directory, 'base.json')} is invalid; check it first`,
  ])
})

test('check names the extended file whose merged values are invalid', async () => {
  const directory = await createDirectory({
    'base.json': { name: 'base', quota: { fre: {} } },
    'shop.json': { name: 'shop', extends: ['default', 'base'] },
  })
  const { stdout } = await run(['check', join(directory, 'shop.json')])
  expect(stdout).toBe(
    `${join(directory, 'shop.json')}:3:3: extends must name valid scenarios, found "base"; see petstore-sandbox check ${join(directory, 'base.json')}\n`,
  )
})

test('check prints every invalid field of a file at once, in order, with line and column', async () => {
  const directory = await createDirectory({
    'base.json': { name: 'base' },
    'shop.json': `{
  "name": "shop",
  "extends": ["default", "bas"],
  "pets": [
    { "petId": 1, "name": "Bella", "quantiti": 4 },
    { "petId": 1, "nam": "Milo" }
  ],
  "plans": { "fre": { "requestsPerMinute": 5 } },
  "quota": { "pro": {} },
  "seed": 1,
  "seed": 2,
  "orders": [{ "id": 1, "petId": 1, "Status": "placed", "note": "x" }]
}
`,
  })
  const path = join(directory, 'shop.json')
  const { code, stdout } = await run(['check', path])
  expect(code).toBe(1)
  expect(stdout.trimEnd().split('\n')).toEqual([
    `${path}:5:36: pets[0].quantiti is not a field of a pet; did you mean "quantity"?`,
    `${path}:6:5: pets[1].name is missing, wanted a string`,
    `${path}:6:19: pets[1].nam is not a field of a pet; did you mean "name"?`,
    `${path}:8:14: plans.fre is not a known field; did you mean "free"? wanted one of free, pro, business, enterprise`,
    `${path}:11:3: "seed" is stated twice in the same object; the last one counts`,
    `${path}:12:37: orders[0].Status is not a field of an order; did you mean "status"?`,
  ])
})

test('check prints the problems of the extended scenarios when all fields are valid', async () => {
  const directory = await createDirectory({
    'base.json': { name: 'base' },
    'shop.json':
      '{\n  "name": "shop",\n  "extends": ["default", "bas"],\n  "quota": { "fre": {} }\n}',
  })
  const { stdout } = await run(['check', join(directory, 'shop.json')])
  expect(stdout).toMatch(
    /^\S+shop\.json:3:3: extends must name known scenarios, found "bas" \(string\); did you mean "base"\? .+\n$/,
  )
})

test('check prints the problems of merged values when the extended scenarios are valid', async () => {
  const directory = await createDirectory({
    'shop.json': `{
  "name": "shop",
  "quota": { "fre": {} },
  "deprecation": { "deprecatedAt": "P9D", "sunsetAt": "P8D" }
}`,
  })
  const { stdout } = await run(['check', join(directory, 'shop.json')])
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /shop\.json:3:14: quota\.fre is not a known name; did you mean "free"\? wanted free, pro, business, enterprise, a key of apiKeys or \*$/,
    ),
    expect.stringMatching(/shop\.json:4:43: deprecation\.sunsetAt must be at or after/),
  ])
})

test('check says when it does not list every problem', async () => {
  const pets = Array.from({ length: 60 }, (_, at) => ({ petId: at + 1, nam: 'Bella' }))
  const directory = await createDirectory({ 'shop.json': { name: 'shop', pets } })
  const { stdout } = await run(['check', directory])
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(51)
  expect(lines.at(-1)).toContain('at most 50 problems are listed; there may be more')
})

test('check finds extended scenarios in the directory of the file also with --scenarios', async () => {
  const shared = await createDirectory({ 'shared.json': { name: 'shared' } })
  const own = await createDirectory({
    'base.json': { name: 'base' },
    'shop.json': { name: 'shop', extends: ['base', 'shared'] },
  })
  expect((await run(['check', join(own, 'shop.json'), '--scenarios', shared])).code).toBe(0)
  expect((await run(['check', join(own, 'base.json'), '--scenarios', own])).code).toBe(0)
})

test('check accepts additional fields of pets and orders that resemble no known field', async () => {
  const directory = await createDirectory({
    'shop.json': {
      name: 'shop',
      pets: [{ ...pet, age: 3, weight: 12, tag: 'x', tags: [], photo: 'a', price: 5, state: 1 }],
      orders: [{ id: 1, petId: 1, notes: '', total: 3, created: '' }],
    },
  })
  expect((await run(['check', directory])).code).toBe(0)
})

test('check names an extended cycle', async () => {
  const directory = await createDirectory({
    'base.json': { name: 'base', extends: 'shop' },
    'shop.json': { name: 'shop', extends: 'base' },
  })
  const { stdout } = await run(['check', join(directory, 'shop.json')])
  expect(stdout).toContain('shop.json:3:3: extends must not form a cycle, found')
})

test('check rejects the name of another file in the directory', async () => {
  const directory = await createDirectory({
    'a.json': { name: 'shop' },
    'b.json': { name: 'shop' },
  })
  const { code, stdout } = await run(['check', join(directory, 'b.json')])
  expect(code).toBe(1)
  expect(stdout).toContain('b.json:2:3: name must be unique, found shop in')
})

test('check of two snapshots with one name names the option that sets it', async () => {
  const directory = await createDirectory({
    'a.json': { name: 'snapshot' },
    'b.json': { name: 'snapshot' },
  })
  const { code, stdout } = await run(['check', directory])
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /a\.json as well; world snapshot --name NAME exports it with another name\n$/,
  )
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
    'shop.json:1:1: deprecation.sunsetAt must be at or after deprecation.deprecatedAt, "P9D", found "P8D"',
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
  ['a missing file', 'none.json', /none\.json: must be a readable file, .+; check the path\n/],
  ['a directory without files', '.', /no \.json file in/],
])('check rejects %s', async (_title, name, reason) => {
  const directory = await createDirectory({})
  const { code, stdout, stderr } = await run(['check', join(directory, name)])
  expect(code).toBe(1)
  expect(stdout + stderr).toMatch(reason)
})

test('check refuses what is not a regular file, without waiting for it', async () => {
  const directory = await createDirectory({})
  execFileSync('mkfifo', [join(directory, 'pipe.json')])
  await mkdir(join(directory, 'folder.json'))
  const socket = createServer().listen(join(directory, 'socket.json'))
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  const { code, stdout } = await run(['check', directory, '/dev/zero'])
  expect(code).toBe(1)
  expect(stdout.trimEnd().split('\n')).toEqual([
    `${join(directory, 'folder.json')}: must be a regular file, found a directory`,
    `${join(directory, 'pipe.json')}: must be a regular file, found a pipe`,
    `${join(directory, 'socket.json')}: must be a regular file, found a socket`,
    '/dev/zero: must be a regular file, found a device',
  ])
})

test('check reads at most 16 MiB', async () => {
  const directory = await createDirectory({})
  const path = join(directory, 'large.json')
  await writeFile(path, '{"name":"large"}')
  await truncate(path, 64 * 1_048_576)
  const { code, stdout } = await run(['check', path])
  expect(code).toBe(1)
  expect(stdout).toBe(`${path}: must have at most 16 MiB, found 64 MiB\n`)
})
