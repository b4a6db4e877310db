import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../src/cli/program.js'
import { addresses } from '../../src/service/addresses.js'
import { parseApiKey } from '../../src/service/api-key.js'
import { serve } from '../support/server.js'
import { createDirectory, createTerminal } from './support.js'
import { serveWorld } from './world-support.js'

const overview = `World       environment production, scenario default, label none
Api key     sbx_free…
Scenario    default
Now         2026-01-15T09:00:00.250Z
Frozen      no
Next event  event sunset, at 2026-04-15T00:00:00.000Z
Plan        free
Minute      limit 60, used 0, remaining 60, rejected 0, resets at 2026-01-15T09:01:00.250Z
Day         limit 1000, used 0, remaining 1000, rejected 0, resets at 2026-01-16T09:00:00.250Z
Ban         none
Counts      pets 12, orders 5, messages 0, faults 0, requests 0
`

describe('world show', () => {
  test('prints a summary of the world, and is the default command', async () => {
    const { print } = await serveWorld()
    expect(await print('show')).toBe(overview)
    expect(await print()).toBe(overview)
  })

  test('prints the response as JSON with --json', async () => {
    const { json, url } = await serveWorld()
    const headers = { Authorization: 'Bearer sbx_free' }
    const response = await fetch(`${url}${addresses.control.httpPath}`, { headers })
    expect(await json('show')).toEqual(await response.json())
  })

  test('shows the world of another key and of staging', async () => {
    const { print } = await serveWorld()
    const text = await print('--key', 'sbx_pro_low-stock_ci-7', 'show', '--environment', 'staging')
    expect(text).toContain('environment staging, scenario low-stock, label ci-7\n')
    expect(text).toContain('Api key     sbx_pro_low-…\n')
    expect(text).toContain('Plan        pro\n')
  })

  test('reads the URL and the key from environment variables; options take precedence', async () => {
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

  test('reaches a sandbox below a path', async () => {
    const { url, world } = await serveWorld()
    const proxy = await serve((req, res) => {
      const headers = { Authorization: req.headers.authorization ?? '' }
      const path = req.url?.replace('/below/here', '') ?? ''
      void fetch(`${url}${path}`, { headers }).then(async (response) => {
        res.writeHead(response.status, Object.fromEntries(response.headers))
        res.end(await response.text())
      })
    })
    const { stdout } = await world('--url', `${proxy}/below/here/`)
    expect(stdout).toBe(overview)
  })
})

describe('the scenario of a world', () => {
  test('prints a record whose additional fields have names of a quota', async () => {
    const { print } = await serveWorld()
    const pet = '{"petId":99,"name":"Rex","banRule":1,"quota":{"banRule":1}}'
    expect(await print('pets', 'add', pet)).toContain('Rex')
  })

  test('scenarios lists the known scenarios', async () => {
    const { print, json } = await serveWorld()
    const text = await print('scenarios')
    expect(text).toMatch(/^NAME +SOURCE +DESCRIPTION\ndefault +built-in +A small store/)
    const listed = await json('scenarios')
    expect(listed).toContainEqual(expect.objectContaining({ name: 'low-stock' }))
    expect(text.trimEnd().split('\n')).toHaveLength(Array.isArray(listed) ? listed.length + 1 : -1)
  })

  test('use restarts the world from one name or several', async () => {
    const { print, sandbox } = await serveWorld()
    expect(await print('use', 'low-stock')).toContain('Scenario    low-stock\n')
    expect(sandbox.world.scenario).toBe('low-stock')
    expect(await print('use', 'low-stock', 'flaky')).toContain('faults 4')
    expect(sandbox.world.scenario).toBe('low-stock+flaky')
  })

  test('use restarts the world from a file, alone or merged with a name', async () => {
    const { print, sandbox } = await serveWorld()
    const shop = { name: 'my-shop', pets: [{ petId: 5, name: 'A', quantity: 3 }] }
    const directory = await createDirectory({ 'my-shop.json': shop })
    const path = join(directory, 'my-shop.json')
    expect(await print('use', path)).toContain('pets 1,')
    expect(sandbox.world.scenario).toBe('my-shop')
    expect(sandbox.world.db.pets.find('5')?.quantity).toBe(3)

    const patch = { name: 'late', clock: { now: '2026-12-24T00:00:00Z' } }
    const other = await createDirectory({ 'late.json': patch })
    expect(await print('use', 'low-stock', join(other, 'late.json'))).toContain('2026-12-24T00:00')
    expect(sandbox.world.scenario).toBe('low-stock+late')
  })

  test('reset restores the start of the scenario', async () => {
    const { print, sandbox } = await serveWorld()
    sandbox.world.db.pets.remove('7')
    expect(await print('reset')).toBe(overview)
    expect(sandbox.world.db.pets.find('7')).toBeDefined()
  })

  test('snapshot prints a scenario file that use accepts', async () => {
    const { print, world, sandbox } = await serveWorld()
    const fields: Record<string, unknown> & { quantity: number } = { quantity: 0, note: 'so\nld' }
    sandbox.world.db.pets.change('7', fields)
    const text = await print('snapshot', '--name', 'out-of-nemo')
    expect(JSON.parse(text)).toEqual(sandbox.world.snapshot('out-of-nemo'))

    const directory = await createDirectory({})
    const path = join(directory, 'seen.json')
    const { code, stdout, stderr } = await world('snapshot', '--output', path)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: `wrote ${path}\n` })
    const seen = sandbox.world.snapshot()
    await print('reset')
    await print('use', path)
    expect({ ...sandbox.world.snapshot(), description: '' }).toEqual({ ...seen, description: '' })
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(seen)
  })
})

describe('the clock of a world', () => {
  test.each([
    [['clock'], '2026-01-15T09:00:00.250Z', false],
    [['clock', 'show'], '2026-01-15T09:00:00.250Z', false],
    [['clock', 'freeze'], '2026-01-15T09:00:00.250Z', true],
    [['clock', 'set', '2026-02-01T00:00:00+01:00'], '2026-01-31T23:00:00.000Z', false],
    [['clock', 'set', '2026-02-01T00:00:00Z', '--frozen'], '2026-02-01T00:00:00.000Z', true],
    [['clock', 'advance', 'PT90S'], '2026-01-15T09:01:30.250Z', false],
    [['clock', 'advance', '1500', '--frozen'], '2026-01-15T09:00:01.750Z', true],
    [['clock', 'advance', '-250'], '2026-01-15T09:00:00.000Z', false],
    [['clock', 'advance', '--', '-P1D'], '2026-01-14T09:00:00.250Z', false],
    [['clock', 'next'], '2026-04-15T00:00:00.000Z', false],
  ])('%j prints the clock after the change', async (args, now, isFrozen) => {
    const { print, sandbox } = await serveWorld()
    const text = await print(...args)
    expect(text).toMatch(`Now         ${now}\nFrozen      ${isFrozen ? 'yes' : 'no'}\nNext event  `)
    expect(sandbox.world.clock.now()).toBe(Date.parse(now))
    expect(sandbox.world.clock.isFrozen).toBe(isFrozen)
  })

  test('clock run lets the clock run', async () => {
    const { print, sandbox } = await serveWorld()
    sandbox.world.clock.freeze()
    expect(await print('clock', 'run')).toContain('Frozen      no')
    expect(sandbox.world.clock.isFrozen).toBe(false)
  })

  test('clock next advances to each event until there is none', async () => {
    const { print, json, get } = await serveWorld()
    await get('/v1/inventory')
    expect(await print('clock')).toContain('minute window resets, at 2026-01-15T09:01:00.250Z\n')
    const { nextEvent } = (await json('clock', 'next')) as { nextEvent: unknown }
    expect(nextEvent).toEqual({ event: 'day window resets', at: '2026-01-16T09:00:00.250Z' })
    await print('clock', 'next')
    expect(await print('clock', 'next')).toContain('Next event  none\n')
  })
})

describe('the quota of a key', () => {
  test('quota prints both windows and the ban', async () => {
    const { print, get } = await serveWorld()
    await get('/v1/inventory')
    const text = `Plan      free
Minute    limit 60, used 1, remaining 59, rejected 0, resets at 2026-01-15T09:01:00.250Z
Day       limit 1000, used 1, remaining 999, rejected 0, resets at 2026-01-16T09:00:00.250Z
Ban       none
Ban rule  rejections 10, seconds 300
`
    expect(await print('quota')).toBe(text)
    expect(await print('quota', 'show')).toBe(text)
  })

  test.each([
    [['one-left'], 'limit 60, used 59, remaining 1', [200, 429]],
    [['day-spent'], 'limit 1000, used 1000, remaining 0', [429]],
    [['set', '--minute-remaining', '1'], 'limit 60, used 59, remaining 1', [200, 429]],
    [['set', '--day-used', '999'], 'limit 1000, used 999, remaining 1', [200, 429]],
    [['ban'], 'Ban       until 2026-01-15T09:05:00.250Z', [429]],
    [['ban', '--seconds', '30'], 'Ban       until 2026-01-15T09:00:30.250Z', [429]],
    [['ban', '--until', '2026-01-16T00:00:00Z'], 'Ban       until 2026-01-16T00:00:00.000Z', [429]],
  ])('quota %j determines the next responses', async (args, line, statuses) => {
    const { print, get } = await serveWorld()
    expect(await print('quota', ...args)).toContain(line)
    for (const status of statuses) expect(await get('/v1/inventory')).toBe(status)
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

  test('the ban says how many rejections are left', async () => {
    const { print } = await serveWorld()
    const risk = 'none; 7 of 10 rejections; 3 more ban the key for 300 s\n'
    expect(await print('quota', 'set', '--minute-rejected', '7')).toContain(`Ban       ${risk}`)
    expect(await print('quota')).toContain(`Ban       ${risk}`)
    expect(await print()).toContain(`Ban         ${risk}`)
  })

  test('quota set does not change other values, and lift removes only the ban', async () => {
    const { print, get } = await serveWorld()
    await get('/v1/inventory')
    await print('quota', 'ban')
    expect(await print('quota', 'set', '--day-used', '5')).toMatch(
      /remaining 59.+\n.+remaining 995.+\n.+until/,
    )
    expect(await print('quota', 'lift')).toContain('Ban       none\n')
    expect(await get('/v1/inventory')).toBe(200)
  })
})

describe('the faults of a world', () => {
  const faults = [
    { type: 'status', status: 503, code: 'busy', operation: 'getPet', atMost: 2 },
    { type: 'status', status: 500, atMost: 1 },
    { type: 'delay', delayMs: 0, rate: 0.125 },
    { type: 'reset', rate: 1 },
    { type: 'truncate', share: 0.25 },
  ]

  const text = `1  getPet responds with 503 busy, 2 uses left
2  every operation responds with 500, 1 use left
3  every operation waits 0 ms, for 12.5 % of requests
4  every operation resets the connection
5  every operation truncates the body after 25 %
`

  test('set replaces all faults with those of an array or a file', async () => {
    const { print, sandbox } = await serveWorld()
    expect(await print('faults', 'set', JSON.stringify(faults))).toBe(text)
    expect(await print('faults')).toBe(text)
    const directory = await createDirectory({ 'faults.json': faults.slice(0, 1) })
    await print('faults', 'set', join(directory, 'faults.json'))
    expect(sandbox.world.faults.list()).toEqual(faults.slice(0, 1))
  })

  test('add keeps the other faults with their remaining uses', async () => {
    const { print, json, get } = await serveWorld()
    await print('faults', 'add', 'type=status', 'status=503', 'operation=getPet', 'atMost=2')
    expect(await get('/v1/pets/7')).toBe(503)
    await print('faults', 'add', '{"type": "status", "status": 500, "message": "no, thanks"}')
    expect(await json('faults', 'list')).toEqual([
      { type: 'status', status: 503, operation: 'getPet', atMost: 1, triggered: 1 },
      { type: 'status', status: 500, message: 'no, thanks' },
    ])
  })

  test('add accepts a phase, a match, a delay range and a sequence', async () => {
    const { print } = await serveWorld()
    const reset = ['type=reset', 'phase=after', 'operation=updateInventory', 'skip=1']
    await print('faults', 'add', ...reset, 'match={"petId":7,"body":{"quantity":5}}')
    await print('faults', 'add', 'type=delay', 'delayMs={"min":0,"max":1}')
    expect(
      await print('faults', 'add', 'sequence=["pass",{"status":503}]', 'operation=getPet'),
    ).toBe(`\
1  updateInventory resets the connection after the operation, with petId 7 and body {"quantity":5}, after 1 more request
2  every operation waits 0 to 1 ms
3  getPet lets the request pass, then responds with 503
`)
  })

  test('list shows how often each fault was triggered', async () => {
    const { print, get } = await serveWorld()
    await print('faults', 'add', 'sequence=["pass",{"status":503},{"status":500}]')
    await print('faults', 'add', 'type=delay', 'delayMs=0')
    await get('/v1/inventory')
    expect(await get('/v1/inventory')).toBe(503)
    expect(await print('faults')).toBe(`\
1  every operation responds with 500, triggered 2 times
2  every operation waits 0 ms, triggered 1 time
`)
  })

  test('concurrent additions are all applied', async () => {
    const { print, sandbox } = await serveWorld()
    const delays = [1, 2, 3, 4, 5]
    await Promise.all(delays.map((ms) => print('faults', 'add', 'type=delay', `delayMs=${ms}`)))
    const added = sandbox.world.faults.list().map((fault) => 'delayMs' in fault && fault.delayMs)
    expect(added.sort()).toEqual(delays)
  })

  test('clear removes all faults', async () => {
    const { print, sandbox } = await serveWorld()
    sandbox.world.faults.add({ type: 'reset' })
    expect(await print('faults', 'clear')).toBe('no faults\n')
    expect(sandbox.world.faults.list()).toEqual([])
  })
})

describe('the requests that a world received', () => {
  async function serveRequested() {
    const served = await serveWorld()
    await served.get('/v1/pets/7')
    await served.get('/v1/inventori')
    const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
    const init = { method: 'PATCH', headers, body: '{"quantity":25}' }
    await fetch(`${served.url}/v1/inventory/7`, init)
    served.sandbox.world.clock.advance('PT1M')
    await served.get('/v1/pets/99')
    return served
  }

  test('are listed newest first, one per line', async () => {
    const { print } = await serveRequested()
    expect(await print('requests')).toBe(`\
#4  2026-01-15T09:01:00.250Z  404  GET /pets/99  getPet  sbx_free…  pet_not_found
#3  2026-01-15T09:00:00.250Z  200  PATCH /inventory/7  updateInventory  sbx_free…
#2  2026-01-15T09:00:00.250Z  404  GET /inventori  no operation; nearest is listInventory  sbx_free…  route_not_found
#1  2026-01-15T09:00:00.250Z  200  GET /pets/7  getPet  sbx_free…
`)
  })

  test.each([
    [
      ['--operation', 'getPet'],
      [4, 1],
    ],
    [
      ['--status', '404'],
      [4, 2],
    ],
    [['--since', '2026-01-15T09:00:30Z'], [4]],
    [['--unmatched'], [2]],
    [
      ['--limit', '2'],
      [4, 3],
    ],
    [['--status', '404', '--operation', 'getPet', '--limit', '9'], [4]],
    [['--status', '418'], []],
  ])('are filtered by %j', async (args, ids) => {
    const { print, json } = await serveRequested()
    expect(await json('requests', 'list', ...args)).toEqual(
      ids.map((id) => expect.objectContaining({ id })),
    )
    const shown = await print('requests', ...args)
    expect([...shown.matchAll(/^#(\d+)/gm)].map(([, id]) => Number(id))).toEqual(ids)
    if (ids.length === 0) expect(shown).toBe('no requests\n')
  })

  test('are listed with their explanation and changes with --explain', async () => {
    const { print } = await serveRequested()
    const text = await print('requests', '--operation', 'updateInventory', '--explain')
    const [, ...lines] = text.split('\n')
    expect(lines).toContain('      body {"quantity":25}')
    expect(lines).toContain('      minute window: 2nd of 60, resets 2026-01-15T09:01:00Z')
    expect(lines).toContain('      changed quantity.set {"petId":"7","from":40,"to":25}')
  })

  test('of staging, and those without a response, are marked', async () => {
    const { print, get } = await serveWorld()
    await print('faults', 'set', '[{"type": "reset"}]', '--environment', 'staging')
    await expect(get('/staging/v1/inventory')).rejects.toThrow()
    expect(await print('requests', '--environment', 'staging')).toMatch(
      /^#1 {2}\S+ {2}--- {2}GET \/inventory \(staging\) {2}listInventory/,
    )
  })

  test('are printed without control characters', async () => {
    const { print, url } = await serveWorld()
    const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ quantity: '\u009b2J\u202e\n' })
    await fetch(`${url}/v1/inventory/7`, { method: 'PATCH', headers, body })
    const text = await print('requests', '--explain')
    expect(text).toContain('\\u{9b}2J\\u{202e}')
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  test('are removed by clear', async () => {
    const { print, sandbox } = await serveRequested()
    expect(await print('requests', 'clear')).toBe('Removed  4\n')
    expect(sandbox.world.journal.size).toBe(0)
  })
})

describe('the pets of a world', () => {
  test('are listed with their stock', async () => {
    const { print, json } = await serveWorld()
    const text = await print('pets')
    expect(text.split('\n').slice(0, 2)).toEqual([
      'PET ID  QUANTITY  STATUS     CATEGORY  NAME',
      '     1         4  available  dog       Bella',
    ])
    expect(await json('pets', 'list')).toHaveLength(12)
    await print('use', 'empty-store')
    expect(await print('pets')).toBe('no pets\n')
  })

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

describe('the orders of a world', () => {
  test('are listed', async () => {
    const { print, json } = await serveWorld()
    expect((await print('orders')).split('\n').slice(0, 2)).toEqual([
      '  ID  PET ID  QUANTITY  STATUS     SHIP DATE                 COMPLETE',
      '1001       4         1  delivered  2026-01-12T09:30:00.000Z  yes',
    ])
    expect(await json('orders')).toHaveLength(5)
  })

  test('are added, changed and removed', async () => {
    const { print, sandbox } = await serveWorld()
    expect(await print('orders', 'add', 'id=2001', 'petId=7', 'quantity=2')).toMatch(
      /^Id +2001\nPet id +7\nQuantity +2\nStatus +placed\n/,
    )
    await print('orders', 'change', '2001', 'status=delivered', 'complete=true')
    expect(sandbox.world.db.orders.find('2001')).toMatchObject({
      status: 'delivered',
      complete: true,
    })
    expect(await print('orders', 'remove', '2001')).toContain('2001')
    expect(sandbox.world.db.orders.find('2001')).toBeUndefined()
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

test('keys prints only a key, and the key works', async () => {
  const { print, json } = await serveWorld()
  const text = await print('keys')
  expect(text).toMatch(/^sbx_free_default_[0-9a-f]{40}\n$/)
  const { apiKey } = (await json('keys', '--plan', 'pro', '--scenario', 'low-stock')) as {
    apiKey: string
  }
  expect(parseApiKey(apiKey)).toMatchObject({ plan: 'pro', scenario: 'low-stock' })
  expect(await print('show', '--key', apiKey)).toContain('Plan        pro\n')
})

describe('colour', () => {
  const start = '\u001b['

  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
  ])('with %j, terminal %j: used %j', async (env, isTTY, isUsed) => {
    const { url, get } = await serveWorld()
    await get('/v1/inventory')
    for (const command of ['show', 'pets', 'requests', 'quota']) {
      const { terminal, read } = createTerminal(env, isTTY)
      expect(await runCli(['world', command, '--url', url], terminal)).toBe(0)
      expect(read().stdout.includes(start)).toBe(isUsed)
    }
  })

  test('is never in JSON', async () => {
    const { url } = await serveWorld()
    const { terminal, read } = createTerminal({ FORCE_COLOR: '1' }, true)
    expect(await runCli(['world', 'show', '--json', '--url', url], terminal)).toBe(0)
    expect(() => JSON.parse(read().stdout)).not.toThrow()
  })
})
