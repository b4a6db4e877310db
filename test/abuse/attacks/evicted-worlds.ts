import { inParallel } from '../client.js'
import { addresses, defineTrial } from '../trial.js'

const partners = 50

export const evictedWorlds = defineTrial({
  name: 'evicted-worlds',
  title:
    'One client creates worlds with new labels, and claims other addresses with X-Forwarded-For, while 50 partners at another address have used their worlds.',
  unit: 'worlds',
  attempts: { small: 3_000, full: 30_000 },
  leavesWorlds: true,
  async run(context) {
    const partner = context.client(addresses.partner)
    const toKey = (index: number) => `sbx_free_default_partner-${index}`
    for (let index = 0; index < partners; index++) {
      const change = { method: 'PATCH', path: '/v1/inventory/1', body: { quantity: 100 + index } }
      await partner.expect({ ...change, apiKey: toKey(index) })
    }
    const attacker = context.client(addresses.attacker)
    await inParallel(context.attempts, 20, context.ending, async (index) => {
      const apiKey = `sbx_free_default_attack-${index}`
      const headers = { 'X-Forwarded-For': `10.0.${index % 200}.${index % 250}` }
      const { status } = await attacker.send({ path: '/v1/inventory', apiKey, headers })
      if (context.signal.aborted) return
      context.count()
      if (status !== 200 && status !== 503) context.violation(`GET /inventory: ${status}`)
    })
    let kept = 0
    for (let index = 0; index < partners && !context.signal.aborted; index++) {
      const { text } = await partner.send({ path: '/v1/inventory', apiKey: toKey(index) })
      if (text.includes(`"petId":1,"quantity":${100 + index},`)) kept += 1
      else context.violation(`the world of partner ${index} has lost its state`)
    }
    context.note(`${kept} of ${partners} partner worlds kept their state.`)
  },
})
