import { describe, expect, onTestFinished, vi } from 'vitest'
import type { InProcessSandbox, Scenario } from '../../src/index.js'
import { ReservedSandbox } from '../../src/testing/reserved-sandbox.js'
import { test } from '../../src/vitest.js'
import { serve } from '../support/server.js'

describe('a repeated test', () => {
  const apiKeys = new Set<string>()

  test('has a new world each time', { repeats: 2 }, async ({ sandbox }) => {
    await sandbox.fetch('/inventory')
    expect(sandbox.world.requests.count()).toBe(1)
    apiKeys.add(sandbox.apiKey)
  })

  test('has another key each time', () => {
    expect(apiKeys.size).toBe(3)
  })
})

test('subscribe and onChange report the worlds of the test only', async ({
  sandbox,
  sharedSandbox,
}) => {
  const entries: string[] = []
  const changed = new Set<string>()
  sandbox.subscribe(({ path }, { name }) => entries.push(`${name.environment} ${path}`))
  sandbox.onChange(({ name }) => changed.add(`${name.environment} ${name.label}`))
  const other = await ReservedSandbox.open(sharedSandbox, {
    title: 'other',
    plan: 'free',
    scenario: undefined,
  })
  await other.fetch('/inventory')
  await sandbox.fetch('/inventory')
  await sandbox.fetch(`${sandbox.stagingBaseUrl}/pets/1`)
  expect(entries).toEqual(['production /inventory', 'staging /pets/1'])
  const { label } = sandbox.world.name
  await expect.poll(() => [...changed]).toEqual([`production ${label}`, `staging ${label}`])
})

test('reset restarts both worlds with the scenario of the test', async ({ sandbox }) => {
  await sandbox.use('empty-store')
  sandbox.stagingWorld.db.pets.add({ petId: 99, name: 'New' })
  sandbox.reset()
  expect(sandbox.world.scenario).toBe('default')
  expect(sandbox.stagingWorld.scenario).toBe('default')
  expect(sandbox.stagingWorld.db.pets.find('99')).toBeUndefined()
  expect(await sandbox.worldFor(sandbox.apiKey)).toBe(sandbox.world)
  expect(sandbox.answers(`${sandbox.baseUrl}/inventory`)).toBe(true)
  expect(sandbox.answers('https://example.test/')).toBe(false)
})

describe('sandbox.apiKey', () => {
  test('Begins with the plan, and ends with this title!', ({ sandbox }) => {
    expect(sandbox.apiKey).toMatch(
      /^sbx_free_default_begins-with-the-plan-and-ends-with-this-title-[a-z0-9]{12}$/,
    )
  })

  test(`is valid if the title is ${'very '.repeat(40)}long`, async ({ sandbox }) => {
    expect((await sandbox.fetch('/inventory')).status).toBe(200)
  })

  // The title has no character that a label may contain.
  test('ソ', async ({ sandbox }) => {
    expect((await sandbox.fetch('/inventory')).status).toBe(200)
  })
})

describe('scenario', () => {
  describe('as an array', () => {
    test.override({
      scenario: ['sunset-passed', { name: 'accepting', rules: { messageStatus: 202 } }],
    })
    test('is merged', async ({ sandbox }) => {
      expect((await sandbox.fetch('/pets/1')).status).toBe(410)
      expect(sandbox.world.rules.messageStatus).toBe(202)
    })
  })

  test('can be changed in both worlds during a test', async ({ sandbox }) => {
    await sandbox.use(['low-stock', 'sunset-soon'])
    expect(sandbox.world.scenario).toBe('low-stock+sunset-soon')
    expect(sandbox.stagingWorld.scenario).toBe('low-stock+sunset-soon')
  })
})

describe('sandbox.stagingWorld', () => {
  const countStaging = (sharedSandbox: InProcessSandbox) =>
    sharedSandbox.core.worlds.all().filter(({ name }) => name.environment === 'staging').length

  test('is created on first use', async ({ sandbox, sharedSandbox }) => {
    const before = countStaging(sharedSandbox)
    await sandbox.use('low-stock')
    await sandbox.fetch('/inventory')
    expect(countStaging(sharedSandbox)).toBe(before)
    expect(sandbox.stagingWorld).toBe(sandbox.stagingWorld)
    expect(countStaging(sharedSandbox)).toBe(before + 1)
  })

  test('that a request creates has the scenario of use', async ({ sandbox }) => {
    await sandbox.use('empty-store')
    const response = await sandbox.fetch(`${sandbox.stagingBaseUrl}/inventory`)
    expect(await response.json()).toEqual([])
    expect(sandbox.stagingWorld.scenario).toBe('empty-store')
    expect(sandbox.stagingWorld.requests.count()).toBe(1)
  })

  test('that is created later has the time of the production world', async ({ sandbox }) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    await sandbox.use({ name: 'dated', clock: { now: '2026-01-15T09:30:00.000Z' } })
    await vi.advanceTimersByTimeAsync(90_000)
    expect(sandbox.world.clock.now()).toBe(Date.UTC(2026, 0, 15, 9, 31, 30))
    expect(sandbox.stagingWorld.clock.now()).toBe(sandbox.world.clock.now())
    expect(sandbox.stagingWorld.startedAtMs).toBe(sandbox.world.startedAtMs)
  })
})

const extended = test.extend('client', ({ sandbox }) => ({
  readInventory: () => fetch(`${sandbox.baseUrl}/inventory`, { headers: sandbox.headers }),
}))

extended('test.extend shares the sandbox of the file', async ({ client, sandbox }) => {
  expect((await client.readInventory()).status).toBe(200)
  expect(sandbox).toHaveReceived('listInventory', { times: 1 })
})

describe('the addresses', () => {
  test('reach production, staging and quickstart', async ({ sandbox }) => {
    const { headers } = sandbox
    await fetch(`${sandbox.baseUrl}/store/orders`, { headers })
    await fetch(`${sandbox.stagingBaseUrl}/inventory`, { headers })
    const body = '{"message":"Hello"}'
    const json = { ...headers, 'Content-Type': 'application/json' }
    await fetch(`${sandbox.quickstartBaseUrl}/messages`, { method: 'POST', headers: json, body })
    const operations = (requests: typeof sandbox.world.requests) =>
      requests.find().map(({ operation }) => operation)
    expect(operations(sandbox.world.requests)).toEqual(['listOrders', 'sendMessage'])
    expect(operations(sandbox.stagingWorld.requests)).toEqual(['listInventory'])
  })

  test('are the only intercepted addresses', async ({ sandbox }) => {
    expect(sandbox.baseUrl).toBeDefined()
    const url = await serve((_, response) => void response.end('elsewhere'))
    const response = await fetch(`${url}/v1/inventory`)
    expect(await response.text()).toBe('elsewhere')
  })
})

describe('sandbox.fetch', () => {
  test('sends the key and accepts a path, a URL or a request', async ({ sandbox }) => {
    const url = `${sandbox.baseUrl}/inventory`
    for (const input of ['/inventory', url, new URL(url), new Request(url)]) {
      expect((await sandbox.fetch(input)).status).toBe(200)
    }
    expect(sandbox).toHaveReceived('listInventory', { times: 4 })
  })

  test('sends the key of the Authorization header', async ({ sandbox }) => {
    const headers = { Authorization: 'Bearer sbx_revoked' }
    expect((await sandbox.fetch('/inventory', { headers })).status).toBe(401)
  })

  test('resolves a path that only the quickstart address has', async ({ sandbox }) => {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: '{"message":"Hello"}' }
    expect((await sandbox.fetch('/messages?x=1', init)).status).toBe(200)
    expect((await sandbox.fetch('/messages')).status).toBe(405)
    expect(sandbox).toHaveReceived('sendMessage', { times: 1 })
  })
})

describe('plan and sandbox.account', () => {
  test.override({ plan: 'pro' })

  test("is the quota of the test's key, which has the plan", async ({ sandbox }) => {
    const response = await sandbox.fetch('/inventory')
    expect(response.headers.get('X-RateLimit-Limit')).toBe('300')
    sandbox.account.set({ minute: { remaining: 0 } })
    expect((await sandbox.fetch('/inventory')).status).toBe(429)
    expect(sandbox.account).toBe(sandbox.world.quota.account('pro'))
  })

  test('is the only one that can be set, unless the test has a key of another plan', ({
    sandbox,
  }) => {
    for (const { quota } of [sandbox.world, sandbox.stagingWorld]) {
      expect(() => quota.account('free').set({ minute: { remaining: 0 } })).toThrow(
        'no key of this test uses the account "free", only pro; set sandbox.account, or create a key first with sandbox.apiKeyFor("free")',
      )
    }
    sandbox.apiKeyFor('free')
    sandbox.world.quota.account('free').set({ minute: { remaining: 0 } })
    expect(sandbox.world.quota.account('free').minute.remaining).toBe(0)
  })
})

describe('a key that the scenario lists under apiKeys', () => {
  const scenario: Scenario = {
    name: 'partner',
    apiKeys: [{ key: 'partner-key', plan: 'business' }],
    pets: [{ petId: 1, name: 'Bella', quantity: 3 }],
  }
  const headers = { Authorization: 'Bearer partner-key' }
  test.override({ scenario })

  test("reaches the test's worlds on its plan", async ({ sandbox }) => {
    sandbox.world.quota.account('partner-key').set({ minute: { used: 5 } })
    const response = await fetch(`${sandbox.baseUrl}/inventory`, { headers })
    expect(response.headers.get('X-RateLimit-Remaining')).toBe('994')
    expect(await response.json()).toEqual([{ petId: 1, quantity: 3, status: 'available' }])
    expect(sandbox).toHaveReceived('listInventory', { times: 1 })
    await fetch(`${sandbox.stagingBaseUrl}/inventory`, { headers })
    expect(sandbox.stagingWorld).toHaveReceived('listInventory', { status: 200 })
  })

  test('is unknown after a change to another scenario', async ({ sandbox }) => {
    await sandbox.use('default')
    expect((await sandbox.fetch('/inventory', { headers })).status).toBe(401)
  })

  test('is rejected while several tests list it', async ({ sandbox, sharedSandbox }) => {
    const settings = { title: 'another test', plan: 'free', scenario } as const
    const other = await ReservedSandbox.open(sharedSandbox, settings)
    const response = await sandbox.fetch('/inventory', { headers })
    await other.close()
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { message: expect.stringContaining('is listed by several tests that run at the same time') },
    ])
    expect((await sandbox.fetch('/inventory', { headers })).status).toBe(200)
  })
})
