import type { Socket } from 'node:net'
import { inParallel, toRawRequest, waitForResponse } from '../client.js'
import { flood } from '../flood.js'
import { addresses, defineTrial } from '../trial.js'

const apiKey = 'sbx_enterprise_default_watched'
const streams = 4_000

export const eventStreams = defineTrial({
  name: 'event-streams',
  title:
    'Clients at 40 addresses open 4,000 event streams of one world and read them, while one client sends requests with bodies of 4 KB.',
  unit: 'requests',
  attempts: { small: 40, full: 400 },
  async run(context) {
    await context.client(addresses.attacker, apiKey).expect({ path: '/sandbox' })
    const request = toRawRequest('GET /sandbox/events', [`Authorization: Bearer ${apiKey}`])
    // The open streams are the attack, not how fast they open or close.
    const sockets: Socket[] = []
    await inParallel(streams, 8, context.ending, async (index) => {
      const socket = context.socket(`127.0.3.${1 + (index % 40)}`)
      sockets.push(socket)
      socket.write(request)
      await waitForResponse(socket)
    })
    await flood(context, {
      line: 'POST /quickstart/messages',
      apiKey: () => apiKey,
      body: JSON.stringify({ message: 'x'.repeat(4_000) }),
      perConnection: 20,
      connections: 2,
    })
    await context.pause(500)
    for (const [index, socket] of sockets.entries()) {
      socket.destroy()
      if (index % 40 === 0) await context.pause(10)
    }
  },
})
