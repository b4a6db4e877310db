import { addresses, defineTrial } from '../trial.js'

const atOnce = 16

export const generatedScenarios = defineTrial({
  name: 'generated-scenarios',
  title: 'One client requests 20,000 generated pets and orders in 16 worlds at the same time.',
  unit: 'requests',
  attempts: { small: 3 * atOnce, full: 10 * atOnce },
  leavesWorlds: true,
  async run(context) {
    const client = context.client(addresses.attacker)
    const body = { name: 'a', generate: { pets: 20_000, orders: 20_000 } }
    for (let made = 0; made < context.attempts && !context.ending.aborted; made += atOnce) {
      const replies = await Promise.all(
        Array.from({ length: atOnce }, (_, index) => {
          const apiKey = `sbx_free_default_generated-${index}`
          return client.send({ method: 'PUT', path: '/sandbox/scenario', apiKey, body })
        }),
      )
      if (context.signal.aborted) return
      context.count(atOnce)
      for (const { status, text } of replies) {
        if (status === 500 || status === 0) context.violation(`${status}: ${text.slice(0, 200)}`)
      }
    }
  },
})
