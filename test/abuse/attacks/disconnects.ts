import { inParallel } from '../client.js'
import { addresses, defineTrial } from '../trial.js'

const delayMs = 300

export const disconnects = defineTrial({
  name: 'disconnects',
  title:
    'Clients disconnect during a delay of their request, or in the middle of an upload. Their worlds must not change afterwards.',
  unit: 'requests',
  attempts: { small: 300, full: 10_000 },
  leavesWorlds: true,
  async run(context) {
    const toKey = (index: number) => `sbx_free_default_gone-${index % 100}`
    const client = context.client(addresses.attacker)
    const owner = context.client(addresses.owner)
    const headers = { Prefer: `delay=${delayMs / 1_000}` }
    const late = new Set<string>()
    await inParallel(context.attempts, 50, context.ending, async (index) => {
      // Pet 1 to 12, so that no request of a world is sent twice.
      const petId = 1 + (Math.floor(index / 100) % 12)
      const path = `/v1/inventory/${petId}`
      const sent = { method: 'PATCH', path, apiKey: toKey(index), body: { quantity: 777 } }
      const abortAfterMs = 20 + context.random.fork(index).int(delayMs - 200)
      const partial = index % 3 === 0 ? { 'Content-Length': '100' } : {}
      const startedAt = performance.now()
      await client.send({ ...sent, headers: { ...headers, ...partial }, abortAfterMs })
      // A busy machine can delay the disconnection until the response.
      if (performance.now() - startedAt > delayMs / 2) late.add(`${index % 100} ${petId}`)
      context.count()
    })
    await context.pause(delayMs * 2)
    let changed = 0
    for (let index = 0; index < 100 && !context.signal.aborted; index++) {
      // The control API has no quota, which the requests have used up.
      const { text } = await owner.expect({ path: '/sandbox/pets', apiKey: toKey(index) })
      const pets: { petId: number; quantity: number }[] = JSON.parse(text)
      const isChanged = ({ petId, quantity }: (typeof pets)[number]) =>
        quantity === 777 && !late.has(`${index} ${petId}`)
      const found = pets.filter(isChanged).length
      changed += found
      if (found > 0) context.violation(`${found} pets of world ${index} have changed`)
    }
    context.note(`${changed} requests changed a world after their client had disconnected.`)
  },
})
