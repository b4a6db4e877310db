import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, run } from './support.js'

const pet = { petId: 1, name: 'Bella', status: 'available', quantity: 4 }

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

test('check accepts a file with a byte order mark', async () => {
  const directory = await createDirectory({ 'shop.json': '\uFEFF{"name": "shop"}' })
  expect((await run(['check', join(directory, 'shop.json')])).code).toBe(0)
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

test('check finds extended scenarios in the directory of the file also with --scenarios', async () => {
  const shared = await createDirectory({ 'shared.json': { name: 'shared' } })
  const own = await createDirectory({
    'base.json': { name: 'base' },
    'shop.json': { name: 'shop', extends: ['base', 'shared'] },
  })
  expect((await run(['check', join(own, 'shop.json')])).code).toBe(1)
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
