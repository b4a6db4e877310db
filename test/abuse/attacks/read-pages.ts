import { flood } from '../flood.js'
import { defineTrial } from '../trial.js'

export const readPages = defineTrial({
  name: 'read-pages',
  title:
    'One client pipelines requests for the document of the control API on 20 connections, and reads the responses.',
  unit: 'requests',
  attempts: { small: 6_000, full: 60_000 },
  run: (context) =>
    flood(context, {
      line: 'GET /openapi.sandbox.json',
      apiKey: () => 'sbx_free_default_pages',
      perConnection: 300,
      connections: 20,
    }),
})
