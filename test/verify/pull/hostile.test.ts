import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { item, pullTo, readPulled, serveReplies } from './support.js'

test('pull requests only pets whose id is an int64', async () => {
  const ids = [
    '../admin',
    '1/../../x',
    '1?x',
    '%2e',
    '',
    1.5,
    1e30,
    null,
    {},
    '9223372036854775808',
    7,
  ]
  const { url, requests } = await serveReplies({
    '/inventory': { body: ids.map((petId) => ({ petId, quantity: 1, status: 'sold' })) },
    '/store/orders': { body: [] },
  })
  const { code } = await pullTo({ url })
  expect(code).toBe(0)
  expect(requests.map((each) => each.split(' ')[0])).toEqual([
    '/inventory',
    '/store/orders',
    '/pets/7',
  ])
})

test('pull masks the key in the output and in the file, also with escaped characters', async () => {
  const key = 'live/51+secret"=='
  const escaped = String.raw`live\/51+secret\u0022\u003d\u003d`
  const { url } = await serveReplies({
    '/inventory': { body: [{ ...item, [key]: 1, status: key }] },
    '/store/orders': { body: `[{"id":1,"petId":1,"note":"${escaped}"}]` },
    '/pets/1': { body: `{"petId":1,"name":"${escaped}","status":"${escaped}"}` },
  })
  const { stdout, stderr, output } = await pullTo({ url, key })
  const file = await readFile(output, 'utf8')
  expect(stdout).toContain('not represented: the API key is in 1 bodies, and is masked')
  for (const text of [stdout, stderr, file]) expect(text).not.toContain('secret')
  expect(JSON.parse(file).pets[0].name).toBe('live/51+…')
})

test('pull leaves out the entries for which a scenario has no room, and says so', async () => {
  const body = `[${Array.from({ length: 20_001 }, () => '{"petId":"x"}').join()}]`
  const { url } = await serveReplies({
    '/inventory': { body },
    '/store/orders': { body: [] },
  })
  const { code, stdout, output } = await pullTo({ url })
  expect(code).toBe(0)
  expect(stdout).toContain('inventory: a scenario has at most 20000 entries, found 20001')
  expect(stdout.split('\n').length).toBeLessThan(120)
  await readPulled(output)
})

test.each<[string, unknown]>([
  [
    'a record with more values than a scenario allows',
    { list: Array.from({ length: 20_001 }, () => 1) },
  ],
  ['a record with a longer string than a scenario allows', { text: 'x'.repeat(1_100_000) }],
  ['a record that is nested too deeply', JSON.parse(`{"deep":${'['.repeat(63)}${']'.repeat(63)}}`)],
])('pull omits a field of %s, and says so', async (_title, others) => {
  const pet = { petId: 1, name: 'a', ...(others as object) }
  const { url } = await serveReplies({
    '/inventory': { body: [{ petId: 1, quantity: 1, status: 'sold' }] },
    '/store/orders': { body: [] },
    '/pets/1': { body: pet },
  })
  const { code, stdout, output } = await pullTo({ url })
  expect(code).toBe(0)
  expect(stdout).toMatch(/not represented: pets: "\w+" is .+, the sandbox serves nothing \(1\)/)
  expect((await readPulled(output)).pets).toMatchObject([{ petId: 1, name: 'a' }])
})
