import { flood } from '../flood.js'
import { defineTrial } from '../trial.js'

const headers = Array.from({ length: 15 }, (_, index) => `X-Note-${index}: ${'y'.repeat(250)}`)

export const filledJournals = defineTrial({
  name: 'filled-journals',
  title:
    'One client fills the journals of many worlds with requests that have bodies and headers of 4 KB.',
  unit: 'requests',
  attempts: { small: 20_000, full: 100_000 },
  leavesWorlds: true,
  run: (context) =>
    flood(context, {
      line: 'POST /quickstart/messages',
      headers,
      apiKey: (connection) => `sbx_enterprise_empty-store_journal-${connection}`,
      body: JSON.stringify({ message: 'x'.repeat(4_000) }),
      perConnection: 500,
      connections: 4,
    }),
})
