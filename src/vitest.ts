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
export type * from './types.js'
