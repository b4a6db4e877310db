import { inParallel, toRawRequest, waitForResponse } from '../client.js'
import { addresses, defineTrial } from '../trial.js'

const apiKey = 'sbx_enterprise_default_lists'

export const unreadLists = defineTrial({
  name: 'unread-lists',
  title:
    'Clients at eight addresses request a list of 1 MB on each of 2,000 connections, and read only its beginning.',
  unit: 'connections',
  attempts: { small: 2_000, full: 2_000 },
  leavesWorlds: true,
  async run(context) {
    const limits = { requestsPerMinute: 10_000_000, requestsPerDay: 10_000_000 }
    const plans = { enterprise: limits }
    const body = { name: 'a', generate: { pets: 20_000 }, plans }
    const client = context.client(addresses.attacker, apiKey)
    await client.expect({ method: 'PUT', path: '/sandbox/scenario', body })
    const request = toRawRequest('GET /v1/inventory', [`Authorization: Bearer ${apiKey}`])
    // The open connections are the attack, not how fast they are opened.
    await inParallel(context.attempts, 8, context.ending, async (index) => {
      const socket = context.socket(`127.0.1.${1 + (index % 8)}`)
      socket.write(request)
      await waitForResponse(socket)
      socket.pause()
      context.count()
    })
    await context.pause(500)
  },
})
