/** A world of a sandbox over HTTP. */

export type { RemoteFetch } from './control/client/client.js'
export { RemoteError, type RemoteErrorCode } from './control/client/error.js'
export { type ConnectOptions, connect } from './control/remote/connect.js'
export type { ForkOptions, RemoteWorld } from './control/remote/world.js'
export type { Report } from './report/report.js'
export type { Environment } from './service/addresses.js'
export type { ErrorCode } from './service/errors.js'
export type { OperationId } from './service/operations/operations.js'
export type { PlanId } from './service/plans.js'
export type { JournalEntry, PendingRequest } from './world/journal/entry.js'
export type { RequestFilter, RequestQuery } from './world/journal/filter.js'
export type { WaitOptions } from './world/journal/requests.js'
export type { Scenario } from './world/scenario/schema.js'
export type {
  ScenarioInput,
  ScenarioName,
  ScenarioNames,
  ScenarioSource,
} from './world/scenario/source.js'
