import { toRawRequest } from '../client.js'
import { addresses, defineTrial } from '../trial.js'

const apiKey = 'sbx_enterprise_default_delayed'
const notes = Array.from({ length: 14 }, (_, index) => `X-Note-${index}: ${'y'.repeat(1_000)}`)
const perConnection = 16

export const delayedRequests = defineTrial({
  name: 'delayed-requests',
  title:
    'One client pipelines requests with `Prefer: delay=60` and headers of 14 KB, 16 on each connection.',
  unit: 'requests',
  attempts: { small: 24_000, full: 96_000 },
  async run(context) {
    const limits = { requestsPerMinute: 10_000_000, requestsPerDay: 10_000_000 }
    const client = context.client(addresses.attacker, apiKey)
    const body = { name: 'a', extends: 'default', plans: { enterprise: limits } }
    await client.expect({ method: 'PUT', path: '/sandbox/scenario', body })
    const request = toRawRequest('GET /v1/inventory', [
      `Authorization: Bearer ${apiKey}`,
      'Prefer: delay=60',
      ...notes,
    ])
    for (let made = 0; made < context.attempts && !context.ending.aborted; made += perConnection) {
      const socket = context.socket(addresses.attacker)
      socket.resume()
      for (let sent = 0; sent < perConnection; sent++) socket.write(request)
      context.count(perConnection)
      await context.pause(5)
    }
    await context.pause(3_000)
  },
})
