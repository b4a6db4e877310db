import { inParallel, toRawRequest, waitForResponse } from '../client.js'
import { flood } from '../flood.js'
import { addresses, defineTrial } from '../trial.js'

const apiKey = 'sbx_enterprise_default_options'
const line = 'OPTIONS /v1/pets'

export const optionsRequests = defineTrial({
  name: 'options-requests',
  title:
    'One client pipelines OPTIONS requests on 20 connections, and 500 at once on each of other connections.',
  unit: 'requests',
  attempts: { small: 8_000, full: 80_000 },
  async run(context) {
    const request = toRawRequest(line, [`Authorization: Bearer ${apiKey}`])
    const burst = Buffer.concat(Array(500).fill(request))
    const bursts = inParallel(context.attempts / 100, 4, context.ending, async () => {
      const socket = context.socket(addresses.attacker)
      socket.write(burst)
      await waitForResponse(socket)
      await context.pause(20)
      socket.destroy()
    })
    await flood(context, { line, apiKey: () => apiKey, perConnection: 500, connections: 20 })
    await bursts
  },
})
