import { flood } from '../flood.js'
import { defineTrial } from '../trial.js'

const body = JSON.stringify({ message: 'x'.repeat(60_000) })

export const filledMessages = defineTrial({
  name: 'filled-messages',
  title: 'One client sends messages of 60 KB, 1,000 to each of many worlds.',
  unit: 'messages',
  attempts: { small: 6_000, full: 60_000 },
  leavesWorlds: true,
  run: (context) =>
    flood(context, {
      line: 'POST /quickstart/messages',
      apiKey: (connection) => `sbx_enterprise_default_messages-${Math.floor(connection / 10)}`,
      body,
      perConnection: 100,
      connections: 4,
    }),
})
