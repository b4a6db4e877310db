import { z } from 'zod'
import { clearRequests, listRequests } from '../../../control/requests.js'
import { operationIds } from '../../../operations/operations.js'
import { readOptions } from '../../read-options.js'
import type { WorldAction } from '../runner.js'
import { toRequestsText } from '../text/calls.js'
import { toCount } from '../text/count.js'

/** The sandbox checks the others; it takes any operation, and would find nothing for a slip. */
const optionsSchema = z.strictObject({
  operation: z.enum(operationIds).optional(),
  status: z.string().optional(),
  since: z.string().optional(),
  unmatched: z.literal(true).optional(),
  limit: z.string().optional(),
  explain: z.literal(true).optional(),
})

export const showRequests: WorldAction = async ({ client, print }, command) => {
  const { explain = false, unmatched, ...filter } = readOptions(command, optionsSchema)
  const query = { ...filter, unmatched: unmatched && 'true' }
  print(await client.send(listRequests, { query }), (rows, paint) =>
    toRequestsText(rows, explain, paint),
  )
}

export const forgetRequests: WorldAction = async ({ client, print }) => {
  print(
    await client.send(clearRequests),
    ({ removed }) => `forgot ${toCount(removed, 'requests')}\n`,
  )
}
