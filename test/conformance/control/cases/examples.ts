import type { ControlOperationId } from '../../../../src/control/operations.js'
import type { ControlRequest } from '../../../control/support.js'
import { controlOperations } from '../../../support/operations.js'

/** A successful request, for each operation that needs parameters or a body. */
const examples: Partial<Record<ControlOperationId, ControlRequest>> = {
  putScenario: { json: 'low-stock' },
  changeClock: { json: { advance: 1_000 } },
  changeQuota: { json: { ban: { seconds: 60 } } },
  addFault: { json: { type: 'status', status: 500 } },
  replaceFaults: { json: [{ type: 'status', status: 500 }] },
  addPet: { json: { petId: 77, name: 'Rex' } },
  changePet: { path: '/pets/1', json: { quantity: 99 } },
  removePet: { path: '/pets/1' },
  addOrder: { json: { id: 900, petId: 1 } },
  changeOrder: { path: '/orders/1001', json: { quantity: 99 } },
  removeOrder: { path: '/orders/1001' },
  createKey: { json: { plan: 'pro' } },
}

/** Returns a successful request of an operation. */
export function toExample(operation: ControlOperationId): ControlRequest {
  const { path } = controlOperations[operation]
  return { operation, path, ...examples[operation] }
}
