import { inParallel, toRawRequest, waitForResponse } from '../client.js'
import { addresses, defineTrial } from '../trial.js'

const perConnection = 120

export const unreadPages = defineTrial({
  name: 'unread-pages',
  title: `One client without a key pipelines ${perConnection} requests for the document of the control API on each connection, and reads only the beginning of the first response. Other connections have 30 requests.`,
  unit: 'connections',
  attempts: { small: 300, full: 1_500 },
  async run(context) {
    const request = toRawRequest('GET /openapi.sandbox.json').toString()
    // The unread responses are the attack, not how fast the connections are opened.
    await inParallel(context.attempts, 4, context.ending, async (index) => {
      const socket = context.socket(addresses.attacker)
      socket.write(request.repeat(index % 2 === 0 ? perConnection : 30))
      await waitForResponse(socket)
      socket.pause()
      context.count()
    })
    await context.pause(2_000)
  },
})
