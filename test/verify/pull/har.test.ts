import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Scenario } from '../../../src/index.js'
import { createDirectory, run } from '../../cli/support.js'
import { apiKey, item, pullTo, readBodies, readPulled, serveScenario } from './support.js'

/** An entry of a HAR file, as far as it matters. */
interface HarEntry {
  readonly url: string
  readonly method?: string
  readonly status?: number
  readonly at?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: Readonly<Record<string, unknown>>
}

function toHarEntry(
  { url, method = 'GET', status = 200, at, headers = {}, content = {} }: HarEntry,
  key: string,
) {
  return {
    startedDateTime: at ?? '2026-01-15T09:00:00.000Z',
    time: 1,
    request: { method, url, headers: [{ name: 'Authorization', value: `Bearer ${key}` }] },
    response: {
      status,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      content,
    },
  }
}

async function writeHar(entries: readonly HarEntry[], key = apiKey): Promise<string> {
  const log = { version: '1.2', creator: {}, entries: entries.map((each) => toHarEntry(each, key)) }
  return join(await createDirectory({ 'recorded.har': { log } }), 'recorded.har')
}

/** Sends the requests of a pull to a service, and returns their entries. */
async function record(
  url: string,
  paths: readonly string[],
  toContent: (body: string) => Readonly<Record<string, unknown>> = (text) => ({ text }),
): Promise<HarEntry[]> {
  const entries: HarEntry[] = []
  for (const path of paths) {
    const response = await fetch(`${url}${path}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
    entries.push({
      url: `${url}${path}`,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      content: toContent(await response.text()),
    })
  }
  return entries
}

const large = '9223372036854775807'
const shop: Scenario = {
  name: 'shop',
  pets: [
    { petId: large, name: 'Zoë' },
    { petId: 2, name: 'Milo', status: 'sold', quantity: 0 },
  ],
  orders: [{ id: 1, petId: large }],
}
const paths = ['/inventory', '/store/orders', `/pets/${large}`, '/pets/2']

test.each([
  ['strings', (text: string) => ({ text })],
  [
    'base64',
    (text: string) => ({ text: Buffer.from(text).toString('base64'), encoding: 'base64' }),
  ],
])(
  'pull --har writes a file that serves the recorded bodies, from %s',
  async (_title, toContent) => {
    const { url } = await serveScenario(shop)
    const har = await writeHar(await record(url, paths, toContent))
    const { code, stdout, stderr, output, files } = await pullTo({ har })
    expect({ code, files }).toEqual({ code: 0, files: ['pulled.json'] })
    const note = `${har}: 4 entries, used: 4, without a readable body: 0`
    expect(stderr).toBe(`${note}\nwrote ${output}\n`)
    expect(stdout).toContain('every received value is represented')
    expect(stdout).toContain('deprecated 2025-12-16, sunset 2026-04-15')
    const copy = await serveScenario(await readPulled(output))
    const ids = [large, 2]
    expect(await readBodies(copy.url, ids)).toEqual(await readBodies(url, ids))
  },
)

test('pull --har takes the latest response of each resource, and ignores others', async () => {
  const base = 'https://api.example/base/v1'
  const [older, later] = ['2026-01-15T09:00:00Z', '2026-01-15T10:00:00Z']
  const inventory = (quantity: number) => `[{"petId":1,"quantity":${quantity},"status":"sold"}]`
  const har = await writeHar([
    { url: `${base}/inventory`, at: later, content: { text: inventory(2) } },
    { url: `${base}/inventory`, at: older, content: { text: inventory(1) } },
    { url: `${base}/inventory?page=1`, at: older, status: 304 },
    { url: `${base}/inventory`, at: later, status: 429, content: { text: '{}' } },
    { url: `${base}/inventory`, at: later, method: 'OPTIONS', status: 204 },
    { url: `${base}/inventory/1`, at: later, method: 'PATCH', content: { text: '{}' } },
    { url: `${base}/pets/abc`, content: { text: '{}' } },
    { url: 'https://shop.example/inventory', content: { text: '<html>' } },
    { url: 'data:text/plain,/inventory', content: { text: '[]' } },
    { url: 'not a URL' },
  ])
  const { code, stderr, stdout, output } = await pullTo({ har })
  expect(code).toBe(0)
  const note = `${har}: 10 entries, used: 1, without a readable body: 0`
  expect(stderr).toBe(`${note}\nwrote ${output}\n`)
  const notes = stdout.split('\n').filter((line) => line.startsWith('not '))
  expect(notes).toEqual([
    'not known: the names of pets without a readable response; they are made up (1)',
    'not known: the orders: no readable response',
    'not known: the dates of the deprecation, without a response of GET /pets/{petId}',
    'not known: the headers do not show the limit per minute; the sandbox uses 60',
    'not known: the headers do not show the limit per day; the sandbox uses 1000',
  ])
  const pulled = await readPulled(output)
  expect(pulled.pets).toEqual([{ petId: 1, name: 'Pet 1', quantity: 2, status: 'sold' }])
  expect(pulled.description).toBe(`What ${base} served at 2026-01-15T10:00:00Z.`)
})

test('pull --har makes pets of records without an inventory, and says so', async () => {
  const har = await writeHar([
    { url: 'http://x/v1/pets/5', content: { text: '{"petId":5,"name":"Rex"}' } },
    { url: 'http://x/v1/pets/6', status: 404, content: { text: '{"code":"none"}' } },
  ])
  const { code, stdout, output } = await pullTo({ har })
  expect(code).toBe(0)
  expect(stdout).toContain('not known: the inventory: no readable response')
  expect((await readPulled(output)).pets).toMatchObject([{ petId: 5, name: 'Rex' }])
})

test('pull --har names the base URLs of a file with several, and --url chooses one', async () => {
  const har = await writeHar([
    { url: 'https://a.example/v1/inventory', content: { text: '[]' } },
    { url: 'https://b.example/v1/inventory', content: { text: '[{"petId":3}]' } },
  ])
  const { code, message } = await pullTo({ har })
  expect({ code, message }).toEqual({
    code: 2,
    message: `--har ${har}: responses of https://a.example/v1, https://b.example/v1; choose one with --url`,
  })
  const output = (await pullTo({ har })).output
  const args = ['pull', '--har', har, '--url', 'https://B.example/v1/', '--output', output]
  expect(await run(args)).toMatchObject({ code: 0 })
  expect((await readPulled(output)).pets).toMatchObject([{ petId: 3 }])
})

const page = { url: 'https://shop.example/inventory', content: { text: '<html>' } }

test.each<[string, unknown, string]>([
  ['is empty', '', 'it is not a HAR file, which is JSON with log.entries'],
  ['is a zip archive', 'PK\u0003\u0004', 'it is a zip archive; extract the .har file'],
  ['is other JSON', '[1]', 'it is not a HAR file'],
  ['has no entries', { log: { entries: [] } }, '0 entries, none has a response'],
  [
    'has broken entries',
    { log: { entries: [null, 1, {}, { request: {} }] } },
    '4 entries, none has a response',
  ],
  [
    'has only pages',
    { log: { entries: [toHarEntry(page, apiKey)] } },
    '1 entry, none has a response with a JSON body to GET /inventory, GET /store/orders or GET /pets/{petId}',
  ],
  ['has escape sequences', '\u001b[31m\u0007\u202e', 'it is not a HAR file'],
])('pull --har fails in one line if the file %s', async (_title, content, reason) => {
  const har = join(await createDirectory({ 'recorded.har': content }), 'recorded.har')
  const { code, message, files } = await pullTo({ har })
  expect({ code, files }).toEqual({ code: 2, files: [] })
  expect(message).toContain(`--har ${har}: ${reason}`)
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test('pull --har fails in one line if the file is too large', async () => {
  const har = join(await createDirectory({ 'large.har': '' }), 'large.har')
  await truncate(har, 64 * 1_048_576 + 1)
  const { code, stderr } = await run(['pull', '--har', har])
  const reason = 'must have at most 64 MiB, found 65 MiB'
  expect({ code, stderr }).toEqual({ code: 2, stderr: `petstore-sandbox: ${har}: ${reason}\n` })
})

test('pull --har counts the bodies that are not recorded or not valid', async () => {
  const url = 'http://x/v1/inventory'
  const har = await writeHar([
    { url, content: { text: '[]' }, at: '2026-01-15T09:00:00Z' },
    { url, content: {}, at: '2026-01-15T10:00:00Z' },
    { url, content: { text: '/w==', encoding: 'base64' }, at: '2026-01-15T10:00:00Z' },
    { url, content: { text: '[{"petId":' }, at: '2026-01-15T10:00:00Z' },
    { url, content: { text: '['.repeat(100_000) }, at: '2026-01-15T10:00:00Z' },
    { url, content: { text: 7 }, at: 'yesterday' },
    { url: 'http://x/v1/pets/5', content: { text: '{"petId":5,"na' } },
  ])
  const { code, stdout, stderr } = await pullTo({ har })
  expect(code).toBe(0)
  expect(stderr).toContain('7 entries, used: 1, without a readable body: 6\n')
  expect(stdout).toContain('not known: the orders: no readable response\n')
})

test('pull --har masks the key of the recorded requests in what was received', async () => {
  const { url: base } = await serveScenario({ name: 'shop', extends: 'default' })
  const [inventory] = await record(base, ['/inventory'])
  if (!inventory) throw new Error('nothing was recorded')
  const error = {
    code: 'pet_not_found',
    message: `no pet for Bearer ${apiKey}_secret`,
    status: 404,
  }
  const missing = { url: `${base}/pets/2`, status: 404, content: { text: JSON.stringify(error) } }
  const har = await writeHar([inventory, missing], `${apiKey}_secret`)
  const { stdout, output } = await pullTo({ har })
  expect(stdout).toContain('not represented: the API key is in 1 bodies, and is masked\n')
  const { faults } = await readPulled(output)
  expect(faults).toEqual([expect.objectContaining({ message: 'no pet for Bearer sbx_enterpri…' })])
})

test('pull --har reads a Link header of 1 MB in linear time', async () => {
  const headers = { Link: '<'.repeat(1_000_000) }
  const content = { text: '{"petId":5,"name":"Rex"}' }
  const har = await writeHar([{ url: 'http://x/v1/pets/5', headers, content }])
  const { code, stdout } = await pullTo({ har })
  expect(code).toBe(0)
  expect(stdout).toContain('the Link header must have a target with rel="deprecation", found "<<<')
})

test('pull --har leaves out a pet for which a full inventory has no room', async () => {
  const list = Array.from({ length: 20_000 }, (_, at) => ({ ...item, petId: at + 1 }))
  const { code, stdout } = await pullTo({
    har: await writeHar([
      { url: 'https://shop.example/v1/inventory', content: { text: JSON.stringify(list) } },
      { url: 'https://shop.example/v1/pets/20001', content: { text: '{"petId":20001}' } },
    ]),
  })
  expect(code).toBe(0)
  expect(stdout).toContain('pets: pet 20001 is left out: the list is full')
})
