import type { ControlOperation } from '../../control/control-operation.js'
import type { ControlDefinitions } from '../../control/operations.js'

/** Id of a control operation. */
export type ControlId = keyof ControlDefinitions | 'addFault'

type Definition<Id extends ControlId> = Id extends keyof ControlDefinitions
  ? ControlDefinitions[Id]
  : ControlOperation

/** The request body of a control operation. */
export type ControlBody<Id extends ControlId> =
  Definition<Id> extends ControlOperation<infer _Query, infer Body, infer _Result> ? Body : never

/** The response body of a control operation. */
export type ControlResult<Id extends ControlId> =
  Definition<Id> extends ControlOperation<infer _Query, infer _Body, infer Result> ? Result : never

export type Overview = ControlResult<'getOverview'>
export type ClockState = ControlResult<'getClock'>
export type QuotaState = ControlResult<'getQuota'>
export type JournalEntry = ControlResult<'listRequests'>[number]
export type ScenarioSummary = ControlResult<'listScenarios'>[number]
export type Pet = ControlResult<'listPets'>[number]
export type Order = ControlResult<'listOrders'>[number]
