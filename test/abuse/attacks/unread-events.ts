import { toRawRequest } from '../client.js'
import { flood } from '../flood.js'
import { addresses, defineTrial } from '../trial.js'

const apiKey = 'sbx_enterprise_default_streams'
const streams = 400

export const unreadEvents = defineTrial({
  name: 'unread-events',
  title:
    'One client opens 400 event streams of one world, reads none of them, and sends requests with bodies of 4 KB.',
  unit: 'requests',
  attempts: { small: 400, full: 4_500 },
  leavesWorlds: true,
  async run(context) {
    await context.client(addresses.attacker, apiKey).expect({ path: '/sandbox' })
    const request = toRawRequest('GET /sandbox/events', [`Authorization: Bearer ${apiKey}`])
    for (let opened = 0; opened < streams; opened++) {
      context.socket(addresses.attacker).pause().write(request)
    }
    await flood(context, {
      line: 'POST /quickstart/messages',
      apiKey: () => apiKey,
      body: JSON.stringify({ message: 'x'.repeat(4_000) }),
      perConnection: 100,
      connections: 2,
    })
  },
})
