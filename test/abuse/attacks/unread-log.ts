import { flood } from '../flood.js'
import { defineTrial } from '../trial.js'

export const unreadLog = defineTrial({
  name: 'unread-log',
  title:
    'The standard output of the server is a pipe that nobody reads, while one client sends requests with paths of 900 characters.',
  unit: 'requests',
  attempts: { small: 20_000, full: 200_000 },
  server: { ignoresLog: true },
  run: (context) =>
    flood(context, {
      line: `GET /v1/${'x'.repeat(900)}`,
      apiKey: () => 'sbx_free_default_log',
      perConnection: 1_000,
      connections: 4,
    }),
})
