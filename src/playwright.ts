export type { World } from './control/world.js'
export type { ExpectedRequests, RemoteMatchers, RemoteReceiver } from './testing/matchers.js'
export { type SandboxFixtures, test } from './testing/playwright.js'
export { expect, type RemoteAssertion, type SandboxExpect } from './testing/playwright-expect.js'
export { type RouteTarget, routeSandbox } from './testing/playwright-route.js'
export type { TestSandbox } from './testing/test-sandbox.js'
export type { UnhandledRequestStrategy } from './testing/unhandled-requests.js'
export type { NodeSandboxOptions } from './transport/in-process/node.js'
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
