import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Scenario } from '../../../src/index.js'
import { createDirectory, run } from '../../cli/support.js'
import {
  apiKey,
  item,
  order,
  pullTo,
  readBodies,
  readPulled,
  record,
  serveReplies,
  serveScenario,
} from './support.js'

const large = '9223372036854775807'

/** Scenarios with what a pulled file must be able to state. */
const scenarios: Readonly<Record<string, Scenario>> = {
  'an empty store': { name: 'shop' },
  'pets with only the required fields': { name: 'shop', pets: [{ petId: 1, name: 'Bella' }] },
  'int64 ids': {
    name: 'shop',
    pets: [
      { petId: large, name: 'Rex' },
      { petId: '-9223372036854775808', name: 'Min' },
      { petId: '9007199254740993', name: 'Odd' },
    ],
    orders: [{ id: '9007199254740993', petId: large }],
  },
  'an order of records that is not sorted': {
    name: 'shop',
    pets: [3, 1, 2].map((petId) => ({ petId, name: `Pet ${petId}`, status: 'sold', quantity: 0 })),
    orders: [9, 7, 8].map((id) => ({ id, petId: 1, quantity: id, complete: true })),
  },
  'additional fields': {
    name: 'shop',
    pets: [
      {
        petId: 1,
        name: 'Zoë "Ω" \u2028\u0007',
        breed: { name: 'Poodle', parents: [null, { weight: 1.5 }] },
        tags: ['a'],
        '': 'empty',
        constructor: 1,
      } as Scenario['pets'] extends readonly (infer Pet)[] | undefined ? Pet : never,
    ],
    orders: [{ id: 1, petId: 2, gift: true } as { id: number; petId: number }],
  },
  'negative stock': { name: 'shop', pets: [{ petId: 0, name: '', quantity: -3 }] },
  'pets without a record': {
    name: 'shop',
    pets: [
      { petId: 1, name: 'Bella' },
      { petId: large, name: 'Rex' },
    ],
    faults: [
      {
        type: 'status',
        operation: 'getPet',
        match: { petId: large },
        status: 404,
        code: 'not_here',
        message: 'gone "away"',
      },
    ],
  },
}

test.each(Object.entries(scenarios))(
  'pull writes a file that serves the same bodies: %s',
  async (_title, scenario) => {
    const { url } = await serveScenario(scenario)
    const { code, output, stdout, files } = await pullTo({ url })
    expect({ code, files }).toEqual({ code: 0, files: ['pulled.json'] })
    const pulled = await readPulled(output)
    const ids = (scenario.pets ?? []).map(({ petId }) => petId)
    const copy = await serveScenario(pulled)
    expect(await readBodies(copy.url, ids)).toEqual(await readBodies(url, ids))
    expect(stdout).toContain('every received value is represented')
    expect(stdout).not.toContain('not represented: the API key is in 2 bodies, and is masked')
  },
)

test.each([
  ['sbx_free', {}, 'limits of the plan Free: 60 a minute', undefined],
  ['sbx_pro', {}, 'limits of the plan Pro: 300 a minute', undefined],
  [
    'sbx_enterprise',
    { enterprise: { requestsPerMinute: 77 } },
    'limits of the plan Enterprise: 77',
    { enterprise: { requestsPerMinute: 77 } },
  ],
  [
    'sbx_free',
    { free: { requestsPerDay: 30 } },
    'limits of the plan Enterprise: 5000 a minute, 30 a day',
    { enterprise: { requestsPerDay: 30 } },
  ],
])('pull with the key %s and the plans %j says %j', async (key, plans, line, written) => {
  const { url } = await serveScenario({ name: 'shop', plans })
  const { stdout, output } = await pullTo({ url, key })
  expect(stdout).toContain(line)
  expect((await readPulled(output)).plans).toEqual(written)
})

interface Case {
  readonly inventory?: unknown
  readonly orders?: unknown
  readonly pet?: unknown
}

/** What another service serves, and the line that says what the file cannot represent. */
test.each<[string, Case, string | RegExp]>([
  [
    'an unknown status',
    { inventory: [{ ...item, status: 'archived' }] },
    'inventory: "status" is "archived", the sandbox serves "available" (1)',
  ],
  [
    'an unknown field of an entry',
    { inventory: [{ ...item, shelf: 'B' }] },
    'inventory: "shelf" is "B", the sandbox serves nothing (1)',
  ],
  [
    'an id that is not an int64',
    { inventory: [item, { ...item, petId: 'x' }] },
    /inventory: entry 1 is left out: .*petId must be an int64.*found "x"/,
  ],
  [
    'a duplicate id',
    { inventory: [item, { ...item, quantity: 9 }] },
    'inventory: entry 1 is left out: another entry has its id',
  ],
  [
    'an entry that is not an object',
    { inventory: [item, null] },
    'inventory: entry 1 is left out: it is not an object',
  ],
  [
    'a large integer in a field',
    {
      pet: `{"petId":1,"name":"a","status":"available","category":"dog","photoUrls":[],"tags":[],"chip":12345678901234567890}`,
    },
    'pets: "chip" is 12345678901234567890, the sandbox serves 12345678901234567000 (1)',
  ],
  [
    'a field __proto__',
    { pet: `{"petId":1,"name":"a","__proto__":{"x":1}}` },
    'pets: "__proto__" is {"x":1}, the sandbox serves nothing (1)',
  ],
  [
    'terminal escapes',
    { pet: { ...record, category: 7, '\u001b[31m': 1, note: '\u001b]0;x\u0007' } },
    'pets: "category" is 7, the sandbox serves "pet" (1)',
  ],
  [
    'an order without a pet',
    { orders: [{ id: 7 }] },
    'orders: entry 0 is left out: petId is missing',
  ],
  ['orders that are not a list', { orders: { items: [] } }, 'orders: the body is not a JSON array'],
])('pull states that the file does not represent %s', async (_title, service, line) => {
  const { inventory = [item], orders = [order], pet = record } = service
  const replies = {
    '/inventory': { body: inventory },
    '/store/orders': { body: orders },
    '/pets/1': { body: pet },
  }
  const { url } = await serveReplies(replies)
  const { code, stdout, stderr, output, message } = await pullTo({ url })
  expect({ code, message }).toEqual({ code: 0, message: '' })
  await readPulled(output)
  const lines = stdout.split('\n').filter((each) => each.startsWith('not represented: '))
  const matching = lines.filter((each) =>
    typeof line === 'string' ? each.includes(line) : line.test(each),
  )
  expect(matching, stdout).toHaveLength(1)
  expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u)
  expect(stdout).not.toContain('every received value is represented')
})

test('pull states no difference for another service that the file represents', async () => {
  const headers = {
    Deprecation: '@1735689600',
    Sunset: 'Fri, 01 Jan 2100 00:00:00 GMT',
    Link: '</docs>; rel="deprecation"; type="text/html"',
  }
  const { url } = await serveReplies({
    '/inventory': { body: [item] },
    '/store/orders': { body: [order] },
    '/pets/1': { body: record, headers },
  })
  const { stdout } = await pullTo({ url })
  expect(stdout).toContain('every received value is represented')
  expect(stdout).not.toContain('not represented: the API key is in 2 bodies, and is masked')
  expect(stdout).toContain(
    'not known: the headers do not show the limit per minute; the sandbox uses 60\n',
  )
})

test('pull states how many pets without a record the file cannot represent', async () => {
  const ids = Array.from({ length: 103 }, (_, index) => index + 1)
  const { url } = await serveReplies({
    '/inventory': { body: ids.map((petId) => ({ ...item, petId })) },
    '/store/orders': { body: [] },
  })
  const { stdout, output } = await pullTo({ url })
  expect(stdout).toContain(
    'not represented: pets: status 404, the sandbox responds with a record (101, 102, 103)',
  )
  expect((await readPulled(output)).faults).toHaveLength(100)
})

test('pull does not mask a key that is too short to be a secret', async () => {
  const { url } = await serveReplies({
    '/inventory': { body: [item] },
    '/store/orders': { body: [order] },
    '/pets/1': { body: record },
  })
  const { stdout, output } = await pullTo({ url, key: '1' })
  expect(stdout).not.toContain('masked')
  expect((await readPulled(output)).orders).toMatchObject([{ id: 7, petId: 1 }])
})

test.each([
  ['my-shop.json', 'my-shop'],
  ['My shop.json', 'pulled'],
])('pull to %s names the scenario %s', async (file, name) => {
  const output = `${await createDirectory({})}/${file}`
  const { url } = await serveReplies({ '/inventory': { body: [] }, '/store/orders': { body: [] } })
  await run(['pull', '--url', url, '--key', apiKey, '--output', output])
  expect(JSON.parse(await readFile(output, 'utf8'))).toMatchObject({ name })
})

test('pull --json prints the file, the plan and the lines', async () => {
  const { url } = await serveScenario({ name: 'shop', pets: [{ petId: 1, name: 'Bella' }] })
  const { code, stdout, output } = await pullTo({ url, json: true })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    file: output,
    plan: 'enterprise',
    lines: expect.arrayContaining(['1 pet (0 without a record), 0 orders']),
  })
})
