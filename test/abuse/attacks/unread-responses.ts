import { toRawRequest, waitForResponse } from '../client.js'
import { addresses, defineTrial } from '../trial.js'
import { fillWorld } from './large-responses.js'

const apiKey = 'sbx_enterprise_default_unread'

export const unreadResponses = defineTrial({
  name: 'unread-responses',
  title:
    'One client requests the snapshot of a full world on many connections, and reads no response.',
  unit: 'requests',
  attempts: { small: 60, full: 900 },
  leavesWorlds: true,
  async run(context) {
    const client = context.client(addresses.attacker, apiKey)
    await fillWorld(client)
    const request = toRawRequest('GET /sandbox/snapshot', [`Authorization: Bearer ${apiKey}`])
    for (let made = 0; made < context.attempts && !context.ending.aborted; made++) {
      context.socket(addresses.attacker).pause().write(request)
      context.count()
      await context.pause(10)
    }
    // The server processes the last request after the others, which may take longer than the trial.
    const last = context.socket(addresses.attacker)
    context.ending.addEventListener('abort', () => last.destroy(), { once: true })
    last.write(request)
    await waitForResponse(last)
    await context.pause(500)
  },
})
