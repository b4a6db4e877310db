import type { Client } from '../client.js'
import { inParallel } from '../client.js'
import type { Random } from '../random.js'
import { defineTrial } from '../trial.js'
import {
  type Command,
  describeDifference,
  generateAnyCommands,
  startFrozen,
  toComparable,
} from './commands.js'

/** Number of interleavings at the same time. */
const parallel = 8

/** One of two clients of a run, with its own world. */
interface Tenant {
  readonly label: string
  readonly apiKey: string
  /** Path of the environment: empty for production. */
  readonly base: string
  readonly commands: readonly Command[]
}

export const interleavings = defineTrial({
  name: 'interleavings',
  title:
    'Random requests of two keys, interleaved and overlapping. The responses to each key must equal those to the same requests alone.',
  unit: 'interleavings',
  attempts: { small: 100, full: 2_000 },
  isComplete: true,
  leavesWorlds: true,
  async run(context) {
    await inParallel(context.attempts, parallel, context.ending, async (index) => {
      const random = context.random.fork(index)
      // Many more clients would fill the memory with worlds that each of them used recently.
      const client = context.client(`127.0.3.${1 + (index % parallel)}`)
      const together = toTenants(random, `p${index}p`)
      const responses = await sendInterleaved(client, random, together)
      for (const [who, tenant] of toTenants(context.random.fork(index), `q${index}q`).entries()) {
        const alone = await sendAlone(client, tenant)
        for (const [at, response] of alone.entries()) {
          const found = responses[who]?.[at]
          if (found === response || context.signal.aborted) continue
          const { method, path } = tenant.commands[at] ?? {}
          context.violation(
            `case ${index}, ${method} ${path}: ${describeDifference(found, response)}`,
          )
        }
      }
      client.close()
      context.count()
    })
  },
})

/** Creates two tenants whose keys differ in one part. */
function toTenants(random: Random, label: string): readonly [Tenant, Tenant] {
  const own = { label, base: '', apiKey: `sbx_free_default_${label}` }
  const other = random.pick([
    { ...own, base: '/staging' },
    { ...own, apiKey: `sbx_pro_low-stock_${label}` },
    { ...own, label: label.toUpperCase(), apiKey: `sbx_free_default_${label.toUpperCase()}` },
    { ...own, label: `${label}1`, apiKey: `sbx_free_default_${label}1` },
  ])
  const commands = () => generateAnyCommands(random, 3 + random.int(5))
  return [
    { ...own, commands: commands() },
    { ...other, commands: commands() },
  ]
}

/** Sends the requests of two tenants, each in its order, so that some of them overlap. */
async function sendInterleaved(
  client: Client,
  random: Random,
  tenants: readonly [Tenant, Tenant],
): Promise<readonly string[][]> {
  await Promise.all(tenants.map(({ apiKey, base }) => startFrozen(client, apiKey, base)))
  const responses: string[][] = [[], []]
  const latest = [Promise.resolve(), Promise.resolve()]
  const next = [0, 0]
  const isLeft = (who: number) => (next[who] ?? 0) < (tenants[who]?.commands.length ?? 0)
  while (isLeft(0) || isLeft(1)) {
    const who = !isLeft(1) || (isLeft(0) && random.chance(0.5)) ? 0 : 1
    const tenant = tenants[who]
    const command = tenant.commands[next[who] ?? 0]
    next[who] = (next[who] ?? 0) + 1
    const previous = latest[who]
    const send = async () => {
      await previous
      if (command) responses[who]?.push(await sendOne(client, tenant, command))
    }
    latest[who] = send()
    if (random.chance(0.4)) await Promise.all(latest)
  }
  await Promise.all(latest)
  return responses
}

async function sendAlone(client: Client, tenant: Tenant): Promise<string[]> {
  await startFrozen(client, tenant.apiKey, tenant.base)
  const responses: string[] = []
  for (const command of tenant.commands) responses.push(await sendOne(client, tenant, command))
  return responses
}

async function sendOne(client: Client, tenant: Tenant, command: Command): Promise<string> {
  const { apiKey, base, label } = tenant
  // The quickstart address belongs to production.
  const isElsewhere = base !== '' && command.path.startsWith('/quickstart')
  const { path, ...rest } = isElsewhere ? { method: 'GET', path: '/v1/inventory' } : command
  const reply = await client.send({ ...rest, path: `${base}${path}`, apiKey })
  return toComparable(reply, label)
}
