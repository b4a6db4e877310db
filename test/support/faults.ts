import type { OperationId } from '../../src/service/operations/operations.js'
import type { Faults } from '../../src/world/faults/faults.js'
import type { FaultRequest } from '../../src/world/faults/match.js'
import type { Effect } from '../../src/world/faults/schema.js'

/** A request without a petId, headers and a body. */
export const plainRequest: FaultRequest = {
  petId: undefined,
  header: () => undefined,
  json: () => undefined,
}

/** Returns the effects of the faults on one request. */
export function takeEffects(
  faults: Faults,
  operation: OperationId,
  request = plainRequest,
): ('pass' | Effect)[] {
  return faults.take(operation, request).map(({ effect }) => effect)
}
