/** What the entry points for pages, for Node.js and for any runtime have in common. */
export type { Environment } from './contract/addresses.js'
export { type ErrorBody, type ErrorCode, Problem } from './contract/errors.js'
export type { PlanId } from './contract/plans.js'
export type { InventoryItem, Message, Order, Pet } from './contract/response-schemas.js'
export type {
  Order as OrderState,
  OrderInput,
  Pet as PetState,
  PetInput,
} from './contract/schemas.js'
export type { World } from './control/world.js'
export type { OperationId } from './operations/operations.js'
export type {
  CoverageCell,
  Evidence,
  PlanForecast,
  Report,
  RuleResult,
} from './report/report.js'
export { ScenarioError } from './scenario/error.js'
export type { ScenarioSource } from './scenario/library.js'
export type { Scenario } from './scenario/schema.js'
export {
  type SinceResult,
  type Store,
  type StoredBase,
  type StoredWorld,
  StoreError,
  type Version,
} from './store/store.js'
export type { Fault, FaultInput } from './world/faults/schema.js'
export type { AsymmetricMatcher, Matcher } from './world/journal/compare.js'
export type { RequestFilter, RequestQuery } from './world/journal/filter.js'
export type { PendingRequest, RecordedEntry } from './world/journal/journal.js'
export type {
  JournalEntry,
  ParsedRequest,
  ParsedResponse,
} from './world/journal/parts.js'
export type { WaitOptions } from './world/journal/requests.js'
export type { WorldEvent } from './world/next-event.js'
export type { ChangeKind } from './world/world.js'
