import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../src/cli/program.js'
import { createDirectory, createTerminal } from './support.js'
import { serveWorld } from './world-support.js'

// What the examples of the help print is in test/golden/files/cli-world.json.

test('world reads the URL and the key from environment variables; options take precedence', async () => {
  const { url } = await serveWorld()
  const env = { PETSTORE_SANDBOX_URL: url, PETSTORE_SANDBOX_KEY: 'sbx_business_default_env' }
  const show = async (...args: string[]) => {
    const { terminal, read } = createTerminal(env)
    expect(await runCli(['world', 'show', ...args], terminal)).toBe(0)
    return read().stdout
  }
  expect(await show()).toContain('label env\n')
  expect(await show('--key', 'sbx_free_default_option')).toContain('label option\n')
  expect(await show('--url', `${url}/`)).toContain('label env\n')
})

test('snapshot writes a scenario file that use accepts', async () => {
  const { print, world, sandbox } = await serveWorld()
  const fields: Record<string, unknown> & { quantity: number } = { quantity: 0, note: 'so\nld' }
  sandbox.world.db.pets.change('7', fields)
  const path = join(await createDirectory({}), 'seen.json')
  await world('snapshot', '--output', path)
  const seen = sandbox.world.snapshot()
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(seen)
  await print('reset')
  await print('use', path)
  expect({ ...sandbox.world.snapshot(), description: '' }).toEqual({ ...seen, description: '' })
})

test('quota set sets every value of both windows', async () => {
  const { json } = await serveWorld()
  const quota = await json(
    ...['quota', 'set', '--minute-used', '60', '--minute-rejected', '9'],
    ...['--minute-resets-at', '2026-01-15T09:00:30Z', '--day-remaining', '7'],
    ...['--day-rejected', '2', '--day-resets-at', '2026-01-16T00:00:00Z'],
  )
  expect(quota).toMatchObject({
    minute: { used: 60, remaining: 0, rejected: 9, resetsAt: '2026-01-15T09:00:30.000Z' },
    day: { used: 993, remaining: 7, rejected: 2, resetsAt: '2026-01-16T00:00:00.000Z' },
  })
})

test('requests are listed newest first, also those without an operation', async () => {
  const { print, get } = await serveWorld()
  await get('/v1/pets/7')
  await get('/v1/inventori')
  expect(await print('requests')).toBe(`\
#2  2026-01-15T09:00:00.250Z  404  GET /inventori  no operation; nearest is listInventory  sbx_free…  route_not_found
#1  2026-01-15T09:00:00.250Z  200  GET /pets/7  getPet  sbx_free…
`)
  expect(await print('requests', '--unmatched', '--limit', '1')).toMatch(/^#2 .*\n$/)
})

test('requests of staging, and those without a response, are marked', async () => {
  const { print, get } = await serveWorld()
  await print('faults', 'set', '[{"type": "reset"}]', '--environment', 'staging')
  await expect(get('/staging/v1/inventory')).rejects.toThrow()
  expect(await print('requests', '--environment', 'staging')).toMatch(
    /^#1 {2}\S+ {2}--- {2}GET \/inventory \(staging\) {2}listInventory/,
  )
})

test('requests are printed without control characters', async () => {
  const { print, url } = await serveWorld()
  const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
  const body = JSON.stringify({ quantity: '\u009b2J\u202e\n' })
  await fetch(`${url}/v1/inventory/7`, { method: 'PATCH', headers, body })
  const text = await print('requests', '--explain')
  expect(text).toContain('\\u{9b}2J\\u{202e}')
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

describe('the pets of a world', () => {
  test('are added from fields, a JSON object or a file', async () => {
    const { print, json, sandbox } = await serveWorld()
    expect(await print('pets', 'add', 'petId=77', 'name=Rex', 'quantity=3')).toBe(
      'Pet id    77\nQuantity  3\nStatus    available\nCategory  pet\nName      Rex\n',
    )
    expect(await json('pets', 'add', '{"petId": 78, "name": "Tom", "tags": ["a"]}')).toMatchObject({
      petId: 78,
      tags: ['a'],
    })
    const directory = await createDirectory({ 'pet.json': { petId: 79, name: 'Ann' } })
    await print('pets', 'add', join(directory, 'pet.json'))
    expect(sandbox.world.db.pets.find('79')?.name).toBe('Ann')
  })

  test('have JSON values where a value is valid JSON, and strings otherwise', async () => {
    const { print, sandbox } = await serveWorld()
    const fields = ['name="7"', 'tags=["x"]', 'weightKg=31.5', 'note=a=b', 'empty=', 'none=null']
    await print('pets', 'add', 'petId=9223372036854775807', ...fields)
    expect(sandbox.world.db.pets.find('9223372036854775807')).toMatchObject({
      name: '7',
      tags: ['x'],
      weightKg: 31.5,
      note: 'a=b',
      empty: '',
      none: null,
    })
    expect(await print('pets')).toContain('\n9223372036854775807         1  available')
  })

  test('are changed and removed by id, which can be any int64', async () => {
    const { print, sandbox } = await serveWorld()
    const text = await print('pets', 'change', '7', 'quantity=0', 'status=sold')
    expect(text).toMatch(/^Pet id +7\nQuantity +0\nStatus +sold\n/)
    sandbox.world.db.pets.add({ petId: -5, name: 'Below' })
    expect(await print('pets', 'remove', '-5')).toContain('Below')
    expect(sandbox.world.db.pets.find('-5')).toBeUndefined()
  })
})

test('messages lists the queued messages, one per line', async () => {
  const { print, json, url } = await serveWorld()
  expect(await print('messages')).toBe('no messages\n')
  const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
  const body = JSON.stringify({ message: 'Hello,\npets!' })
  await fetch(`${url}/quickstart/messages`, { method: 'POST', headers, body })
  expect(await print('messages')).toMatch(
    /^ID +CREATED AT +MESSAGE\nmsg_\w{24} {2}2026-01-15T09:00:00.250Z {2}Hello,\\u\{a\}pets!\n$/,
  )
  expect(await json('messages')).toEqual([expect.objectContaining({ message: 'Hello,\npets!' })])
})

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
])('world with %j, terminal %j: uses colours %j', async (env, isTTY, isUsed) => {
  const { url, get } = await serveWorld()
  await get('/v1/inventory')
  for (const command of ['show', 'pets', 'requests', 'quota']) {
    const { terminal, read } = createTerminal(env, isTTY)
    expect(await runCli(['world', command, '--url', url], terminal)).toBe(0)
    expect(read().stdout.includes('\u001b[')).toBe(isUsed)
  }
})
