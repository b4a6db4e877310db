import { flood } from '../flood.js'
import { addresses, defineTrial } from '../trial.js'
import { fillWorld } from './large-responses.js'

const apiKey = 'sbx_enterprise_default_heads'

export const headRequests = defineTrial({
  name: 'head-requests',
  title: 'One client pipelines HEAD requests for the snapshot of a full world on 20 connections.',
  unit: 'requests',
  attempts: { small: 2_000, full: 20_000 },
  leavesWorlds: true,
  async run(context) {
    await fillWorld(context.client(addresses.attacker, apiKey))
    await flood(context, {
      line: 'HEAD /sandbox/snapshot',
      apiKey: () => apiKey,
      perConnection: 100,
      connections: 20,
    })
  },
})
