import { changeClock, getClock } from './clock.js'
import type { ControlOperation } from './control-operation.js'
import { streamEvents } from './events.js'
import { clearFaults, listFaults, replaceFaults } from './faults.js'
import { createKey } from './keys.js'
import { listMessages } from './messages.js'
import { addOrder, changeOrder, listOrders, removeOrder } from './orders.js'
import { getOverview } from './overview.js'
import { addPet, changePet, listPets, removePet } from './pets.js'
import { changeQuota, getQuota } from './quota.js'
import { clearRequests, listRequests } from './requests.js'
import { listScenarios, putScenario, resetWorld } from './scenarios.js'
import { getSnapshot } from './snapshot.js'

/** Every control operation. */
const table = {
  getOverview,
  listScenarios,
  putScenario,
  resetWorld,
  getSnapshot,
  getClock,
  changeClock,
  getQuota,
  changeQuota,
  listFaults,
  replaceFaults,
  clearFaults,
  listRequests,
  clearRequests,
  streamEvents,
  listMessages,
  listPets,
  addPet,
  changePet,
  removePet,
  listOrders,
  addOrder,
  changeOrder,
  removeOrder,
  createKey,
}

/** The definitions by id, with the types of their queries, bodies and results. */
export type ControlDefinitions = typeof table

export type ControlOperationId = keyof typeof table

/** Every control operation by its id: the second table beside the service's own. */
export const controlOperations: Readonly<Record<ControlOperationId, ControlOperation>> = table

export const controlOperationIds = Object.keys(table) as ControlOperationId[] // keys of the table
