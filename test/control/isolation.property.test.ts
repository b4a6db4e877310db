import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AddressId, Environment } from '../../src/contract/addresses.js'
import type { Sandbox } from '../../src/sandbox/sandbox.js'
import { startMs } from '../support/suite.js'
import { anyCommand, type Command, createCore, send } from './commands.js'

/** Someone with keys to one world. */
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
  /** Which of the two tenants. */
  readonly who: 0 | 1
  readonly command: Command
  /** Whether the next move begins before this one is answered. */
  readonly overlaps: boolean
}

const move: fc.Arbitrary<Move> = fc.record({
  who: fc.constantFrom(0, 1),
  // Real time passes for all alike.
  command: anyCommand.filter(({ type }) => type === 'request'),
  overlaps: fc.boolean(),
})

const pair = fc
  .tuple(fc.nat(tenants.length - 1), fc.integer({ min: 1, max: tenants.length - 1 }))
  .map(([first, step]) => [first, (first + step) % tenants.length] as const)

/** What each of the two tenants is answered; of one tenant, one call after the other. */
async function play(
  sandbox: Sandbox,
  pairOfTenants: readonly [number, number],
  moves: readonly Move[],
): Promise<[string[], string[]]> {
  const answers: [string[], string[]] = [[], []]
  const latest: [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()]
  for (const { who, command, overlaps } of moves) {
    const tenant = tenants[pairOfTenants[who]]
    latest[who] = latest[who].then(async () => {
      if (tenant) answers[who].push(await ask(sandbox, tenant, command))
    })
    if (!overlaps) await Promise.all(latest)
  }
  await Promise.all(latest)
  return answers
}

async function ask(sandbox: Sandbox, tenant: Tenant, command: Command): Promise<string> {
  if (command.type !== 'request') return ''
  const { environment, apiKeys } = tenant
  const { address } = command.request
  const at = environment === 'staging' ? (stagingAddresses[address] ?? address) : address
  const answer = await send(sandbox, { ...command.request, address: at }, apiKeys)
  // What real time and chance make, the world does not answer for.
  return answer
    .replace(/"durationMs":[\d.]+/g, '"durationMs":0')
    .replace(/_[0-9a-f]{40}/g, '_label')
    .replace(/Content-Length\n\d+/, '')
}

const open = () => createCore(() => startMs)

test('two worlds in one sandbox each answer as if they were alone', async () => {
  const moves = fc.array(move, { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(pair, moves, async (tenantsOfRun, movesOfRun) => {
      const together = await play(await open(), tenantsOfRun, movesOfRun)
      for (const who of [0, 1] as const) {
        const own = movesOfRun.filter((one) => one.who === who)
        const alone = await play(await open(), tenantsOfRun, own)
        expect(together[who]).toEqual(alone[who])
        expect(together[who]).toHaveLength(own.length)
      }
    }),
    { numRuns: 2_000, seed: 20_260_115 },
  )
}, 180_000)
