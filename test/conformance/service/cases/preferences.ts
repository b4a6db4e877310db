import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../../../src/service/errors.js'
import { commonErrors } from '../../../../src/service/operations/operation.js'
import { type OperationId, operationIds } from '../../../../src/service/operations/operations.js'
import { errorsByOperation, successStatus } from '../../../support/operations.js'
import type { Suite } from '../../../support/suite.js'

function documentedStatuses(id: OperationId): readonly number[] {
  const errors = [...(errorsByOperation[id] ?? []), ...commonErrors]
  const statuses = [successStatus(id), ...errors.map((code) => errorCodes[code].status)]
  if (id === 'sendMessage') statuses.push(201, 202) // which a scenario can set (A10)
  return [...new Set(statuses)].sort((a, b) => a - b)
}

const offered = operationIds.flatMap((id) =>
  documentedStatuses(id).map((status) => [id, status] as const),
)

/**
 * A client can request a response with the Prefer header (RFC 7240). The golden file service-preferences
 * has all other preferences.
 */
export function describePreferences({ open }: Suite): void {
  describe('preferences', () => {
    test.each(offered)(
      '%s responds with %i if the client prefers it',
      async (operation, status) => {
        const { send } = await open()
        const response = await send({ operation, headers: { Prefer: `code=${status}` } })
        expect(response.status).toBe(status)
        expect(response.headers.get('Preference-Applied')).toBe(`code=${status}`)
        if (status < 400) return
        expect(response.json).toMatchObject({
          status,
          message: `requested by Prefer: code=${status}`,
        })
      },
    )
  })
}
