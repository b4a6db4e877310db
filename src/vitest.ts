export type { World } from './control/world.js'
export type { OperationId } from './service/operations/operations.js'
export type { PlanId } from './service/plans.js'
export { journalSerializer, type SnapshotSerializer } from './testing/journal-serializer.js'
export type { ExpectedRequests, RemoteMatchers, RemoteReceiver } from './testing/matchers.js'
export { test } from './testing/node-test.js'
export type { TestSandbox } from './testing/test-sandbox.js'
export type { UnhandledRequestStrategy } from './testing/unhandled-requests.js'
export {
  type RemoteAssertion,
  reportRequests,
  type SandboxFixtures,
  type TestSandboxOptions,
} from './testing/vitest.js'
export type { InProcessSandbox } from './transport/in-process/sandbox.js'
export type {
  JournalEntry,
  ParsedRequest,
  ParsedResponse,
  PendingRequest,
} from './world/journal/entry.js'
export type {
  AsymmetricMatcher,
  Matcher,
  RequestFilter,
  RequestQuery,
} from './world/journal/filter.js'
export type { WaitOptions } from './world/journal/requests.js'
export type { Scenario } from './world/scenario/schema.js'
export type {
  ScenarioInput,
  ScenarioName,
  ScenarioNames,
  ScenarioSource,
} from './world/scenario/source.js'
