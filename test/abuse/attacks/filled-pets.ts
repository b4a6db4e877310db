import { inParallel } from '../client.js'
import { addresses, defineTrial } from '../trial.js'

const note = 'x'.repeat(8_000_000)

export const filledPets = defineTrial({
  name: 'filled-pets',
  title: 'One client adds pets of 8 MB to one world.',
  unit: 'pets',
  attempts: { small: 60, full: 600 },
  leavesWorlds: true,
  async run(context) {
    const client = context.client(addresses.attacker, 'sbx_free_default_pets')
    await inParallel(context.attempts, 4, context.ending, async (index) => {
      const body = `{"petId":${1000 + index},"name":"a","note":"${note}"}`
      const { status } = await client.send({ method: 'POST', path: '/sandbox/pets', body })
      if (context.signal.aborted) return
      context.count()
      if (status === 500) context.violation(`POST /sandbox/pets responded with ${status}`)
    })
  },
})
