export type { World } from './control/world.js'
export type { NodeSandboxOptions } from './in-process/node.js'
export type { InProcessSandbox } from './in-process/sandbox.js'
export type { ScenarioSource } from './scenario/library.js'
export type { Scenario } from './scenario/schema.js'
export type { ExpectedRequests, RemoteMatchers, RemoteReceiver } from './testing/matchers.js'
export { type SandboxFixtures, test } from './testing/playwright.js'
export { expect, type RemoteAssertion, type SandboxExpect } from './testing/playwright-expect.js'
export { type RouteTarget, routeSandbox } from './testing/playwright-route.js'
export type { UnhandledRequestStrategy } from './testing/unhandled-requests.js'
export type { AsymmetricMatcher, Matcher } from './world/journal/compare.js'
export type { RequestFilter, RequestQuery } from './world/journal/filter.js'
export type { PendingRequest } from './world/journal/journal.js'
export type {
  JournalEntry,
  ParsedRequest,
  ParsedResponse,
} from './world/journal/parts.js'
export type { WaitOptions } from './world/journal/requests.js'
