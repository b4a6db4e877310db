import { type Client, inParallel } from '../client.js'
import { addresses, defineTrial } from '../trial.js'
import { toLargePets } from './scenario-bodies.js'

const paths = [
  '/sandbox/pets?limit=99999',
  '/sandbox/orders?limit=99999',
  '/sandbox/messages?limit=99999',
  '/sandbox/requests',
  '/sandbox/snapshot',
  '/v1/inventory',
  '/v1/store/orders',
]

/** Number of connections that request the same at the same time. */
const parallel = 16

export const largeResponses = defineTrial({
  name: 'large-responses',
  title:
    'One client reads the data, the journal and the snapshot of a full world again and again, on 16 connections.',
  unit: 'requests',
  attempts: { small: paths.length * parallel, full: 10 * paths.length * parallel },
  leavesWorlds: true,
  async run(context) {
    const client = context.client(addresses.attacker, 'sbx_enterprise_default_large')
    await fillWorld(client)
    const body = { message: 'x'.repeat(4_000) }
    await inParallel(500, 10, context.ending, async () => {
      await client.send({ method: 'POST', path: '/quickstart/messages', body })
    })
    const rounds = context.attempts / parallel
    for (let round = 0; round < rounds && !context.ending.aborted; round++) {
      // A change of the data discards the cached responses.
      const change = { method: 'PATCH', path: '/v1/inventory/1', body: { quantity: round } }
      await client.send(change)
      const path = paths[round % paths.length] ?? ''
      await inParallel(parallel, parallel, context.ending, async () => {
        const { status, text } = await client.send({ path })
        if (context.signal.aborted) return
        context.count()
        // Beyond 64 MiB of unsent responses, the connections are closed.
        if (status === 500) context.violation(`${path}: ${status} ${text}`)
      })
    }
  },
})

/** Fills a world with as many pets as the server accepts: 20,000, 10,000 or 5,000. */
export async function fillWorld(client: Client): Promise<void> {
  for (const count of [20_000, 10_000, 5_000]) {
    const body = `{"name":"a","pets":${toLargePets(count)},"generate":{"orders":${count}}}`
    const { status } = await client.send({ method: 'PUT', path: '/sandbox/scenario', body })
    if (status === 200) return
  }
}
