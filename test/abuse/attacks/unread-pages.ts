import { toRawRequest } from '../client.js'
import { addresses, defineTrial } from '../trial.js'

const perConnection = 120

export const unreadPages = defineTrial({
  name: 'unread-pages',
  title: `One client without a key pipelines ${perConnection} requests for the document of the control API on each connection, and reads no response. Other connections have 30 requests.`,
  unit: 'connections',
  attempts: { small: 300, full: 1_500 },
  async run(context) {
    const request = toRawRequest('GET /openapi.sandbox.json').toString()
    for (let made = 0; made < context.attempts && !context.ending.aborted; made++) {
      const count = made % 2 === 0 ? perConnection : 30
      context.socket(addresses.attacker).pause().write(request.repeat(count))
      context.count()
      await context.pause(5)
    }
    await context.pause(2_000)
  },
})
