import { reportSchema } from '../report/report.js'
import { toReport } from '../report/to-report.js'
import { hidesDetails } from './access.js'
import { type ControlResource, defineControl } from './operation.js'

export const report = {
  title: 'Report',
  description: 'An assessment of the client from the requests that it sent.',
  operations: {
    getReport: defineControl({
      isPrepared: true,
      method: 'GET',
      path: '/report',
      summary: 'Assess the client: conduct, coverage and plans',
      description:
        'Assesses the requests that this key has sent to its world since the world started or its journal was cleared, at most the latest 10,000: whether the client keeps the rules of the service, which documented responses it has received, and how each plan would have limited the same requests.',
      response: {
        description: 'The report.',
        body: { name: 'Report', schema: reportSchema },
      },
      async run({ world, accountId, apiKey, sandbox }) {
        const isUsedElsewhere = hidesDetails(sandbox.access, world)
          ? undefined
          : await sandbox.worlds.isUsedElsewhere(world, accountId)
        return toReport(world, { accountId, apiKey, isUsedElsewhere })
      },
    }),
  },
} satisfies ControlResource
