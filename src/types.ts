/** The types of a sandbox in any runtime, for the entry points that create one. */

export type { World } from './control/world.js'
export type {
  CoverageCell,
  Evidence,
  PlanForecast,
  Report,
  RuleResult,
  TimelineInterval,
} from './report/report.js'
export type { Environment } from './service/addresses.js'
export type { ErrorBody, ErrorCode } from './service/errors.js'
export type { OperationId } from './service/operations/operations.js'
export type { PlanId } from './service/plans.js'
export type {
  InventoryItem,
  Message,
  Order,
  OrderInput,
  OrderState,
  Pet,
  PetInput,
  PetState,
} from './service/schemas.js'
export type { NewStep, Store, StoredWorld, Version } from './store/store.js'
export type { Fault, FaultInput } from './world/faults/schema.js'
export type {
  JournalEntry,
  ParsedRequest,
  ParsedResponse,
  PendingRequest,
  RecordedEntry,
} from './world/journal/entry.js'
export type {
  AsymmetricMatcher,
  Matcher,
  RequestFilter,
  RequestQuery,
} from './world/journal/filter.js'
export type { WaitOptions } from './world/journal/requests.js'
export type { ChangeKind } from './world/listeners.js'
export type { WorldEvent } from './world/next-event.js'
export type { Scenario } from './world/scenario/schema.js'
export type {
  ScenarioInput,
  ScenarioName,
  ScenarioNames,
  ScenarioSource,
} from './world/scenario/source.js'
