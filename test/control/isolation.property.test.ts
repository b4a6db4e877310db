import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import type { Sandbox } from '../../src/engine/sandbox.js'
import type { AddressId, Environment } from '../../src/service/addresses.js'
import { startMs } from '../support/suite.js'
import { anyCommand, type Command, createCore, listedKey, send } from './commands.js'

/** A client with keys to one world. */
interface Tenant {
  readonly environment: Environment
  readonly apiKeys: readonly string[]
}

const tenants: readonly Tenant[] = [
  { environment: 'production', apiKeys: ['sbx_free', 'sbx_pro'] },
  { environment: 'staging', apiKeys: ['sbx_free', 'sbx_business'] },
  { environment: 'production', apiKeys: ['sbx_free_default_a', 'sbx_enterprise_default_a'] },
  { environment: 'production', apiKeys: ['sbx_free_default_b'] },
  { environment: 'staging', apiKeys: ['sbx_free_default_a'] },
  { environment: 'production', apiKeys: ['sbx_free_nearly-limited_a', 'sbx_pro_nearly-limited_a'] },
  { environment: 'production', apiKeys: ['sbx_free_flaky_a'] },
]

const stagingAddresses: Partial<Record<AddressId, AddressId>> = {
  api: 'staging',
  control: 'stagingControl',
  // The quickstart address belongs to production.
  quickstart: 'staging',
}

interface Move {
  /** Index of the tenant. */
  readonly who: 0 | 1
  readonly command: Command
  /** Whether the next move starts before the response to this one. */
  readonly overlaps: boolean
}

const move: fc.Arbitrary<Move> = fc.record({
  who: fc.constantFrom(0, 1),
  // Real time passes for both tenants.
  command: anyCommand.filter(({ type }) => type === 'request'),
  overlaps: fc.boolean(),
})

const pair = fc
  .tuple(fc.nat(tenants.length - 1), fc.integer({ min: 1, max: tenants.length - 1 }))
  .map(([first, step]) => [first, (first + step) % tenants.length] as const)

/** Returns the responses to each tenant, whose requests are sent one after the other. */
async function play(
  sandbox: Sandbox,
  pairOfTenants: readonly [number, number],
  moves: readonly Move[],
): Promise<[string[], string[]]> {
  const responses: [string[], string[]] = [[], []]
  const latest: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()]
  for (const { who, command, overlaps } of moves) {
    const tenant = tenants[pairOfTenants[who]]
    latest[who] = latest[who].then(async () => {
      if (tenant) responses[who].push(await request(sandbox, tenant, command))
    })
    if (!overlaps) await Promise.all(latest)
  }
  await Promise.all(latest)
  return responses
}

async function request(sandbox: Sandbox, tenant: Tenant, command: Command): Promise<string> {
  if (command.type !== 'request') return ''
  const { environment, apiKeys } = tenant
  const { address, body, ...rest } = command.request
  const at = environment === 'staging' ? (stagingAddresses[address] ?? address) : address
  // Two worlds cannot list the same key.
  const ownKey = `${listedKey}-${tenants.indexOf(tenant)}`
  const ownBody = body === undefined ? {} : { body: body.replaceAll(listedKey, ownKey) }
  const response = await send(sandbox, { ...rest, address: at, ...ownBody }, apiKeys)
  // Durations, random labels, their lengths and the ids of control requests differ between runs.
  return response
    .replace(/"durationMs":[\d.]+/g, '"durationMs":0')
    .replace(/_[0-9a-f]{40}/g, '_label')
    .replace(/Content-Length\n\d+/, '')
    .replace(/X-Request-Id\nlocal-\d+/, '')
}

const open = () => createCore(() => startMs)

test('each of two worlds in one sandbox responds as if it were alone', async () => {
  const moves = fc.array(move, { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(pair, moves, async (tenantsOfRun, movesOfRun) => {
      const together = await play(await open(), tenantsOfRun, movesOfRun)
      for (const who of [0, 1] as const) {
        const own = movesOfRun.filter((played) => played.who === who)
        const alone = await play(await open(), tenantsOfRun, own)
        expect(together[who]).toEqual(alone[who])
        expect(together[who]).toHaveLength(own.length)
      }
    }),
    { numRuns: inject('propertyRuns'), seed: 20_260_115 },
  )
})
