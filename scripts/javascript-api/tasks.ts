/** What a program does with the package, and the declarations that it needs for that. */
export interface Task {
  readonly title: string
  readonly text: string
  /** The names of declarations, in the order of the page. */
  readonly names: readonly string[]
}

/** Every export of an entry point belongs to one task. A task also has types that are reached from them. */
export const tasks: readonly Task[] = [
  {
    title: 'Start a sandbox in the process',
    text: 'In Node.js, `petstore-sandbox/node` has the same `createSandbox` with scenario files and stores in addition. See [Testing](./testing.md) and [Scenarios](./scenarios.md).',
    names: [
      ...['createSandbox', 'SandboxOptions', 'NodeSandboxOptions', 'BaseUrlOptions'],
      ...['InProcessSandbox', 'OperationHandler', 'HandlerGroups', 'ChangeKind', 'Environment'],
    ],
  },
  {
    title: 'Start a sandbox in a page',
    text: 'See [Front end](./front-end.md) and [Panel](./panel.md).',
    names: [
      ...['startSandbox', 'BrowserSandboxOptions', 'BrowserSandbox', 'openPanel', 'PanelOptions'],
      ...['PanelPosition', 'PanelHandle', 'connectPanel', 'ConnectPanelOptions'],
    ],
  },
  {
    title: 'Serve a sandbox over HTTP',
    text: 'See [HTTP server](./http-server.md), [middleware](./middleware.md) and [Vite](./vite.md).',
    names: [
      ...['createSandboxServer', 'SandboxServerOptions', 'SandboxServer', 'ListenOptions'],
      ...['CloseOptions', 'createSandboxMiddleware', 'SandboxMiddlewareOptions'],
      ...['SandboxMiddleware', 'ConnectHandler', 'AccessOptions', 'HostOptions', 'HttpLimits'],
      ...['HttpLimitOptions', 'MiddlewareLimitOptions', 'petstoreSandbox'],
      'PetstoreSandboxOptions',
    ],
  },
  {
    title: 'Control a world',
    text: '`sandbox.world` is a world. Its parts are the records, the clock, the quota, the faults and the journal.',
    names: [
      ...['World', 'WorldState', 'WorldEvent', 'Collection', 'Table', 'Clock', 'Duration'],
      ...['Accounts', 'Account', 'RateLimitWindow', 'AccountSettings', 'BanRule', 'Deprecation'],
      ...['Faults', 'Fault', 'FaultInput', 'KindFault', 'SequenceFault', 'PlanId'],
    ],
  },
  {
    title: 'Control a world over HTTP',
    text: 'The handle of a remote world has the members of a world, with promises. See [Remote worlds](./remote.md).',
    names: [
      ...['connect', 'ConnectOptions', 'RemoteFetch', 'RemoteWorld', 'ForkOptions'],
      ...['RemoteDatabase', 'RemoteAccounts', 'RemoteAccount', 'RemoteError', 'RemoteErrorCode'],
    ],
  },
  {
    title: 'Find requests',
    text: 'See [Testing](./testing.md).',
    names: [
      ...['Requests', 'RequestQuery', 'RequestFilter', 'Matcher', 'AsymmetricMatcher'],
      ...['WaitOptions', 'Journal', 'JournalEntry', 'RecordedEntry', 'ParsedRequest'],
      ...['ParsedResponse', 'PendingRequest', 'journalSerializer', 'SnapshotSerializer'],
    ],
  },
  {
    title: 'Test with vitest and Playwright',
    text: 'The matchers are part of `expect` once the entry point is imported. See [Matchers](./matchers.md).',
    names: [
      ...['test', 'expect', 'SandboxFixtures', 'TestSandbox', 'TestSandboxOptions'],
      ...['ExpectedRequests', 'RemoteMatchers', 'RemoteReceiver', 'RemoteAssertion'],
      ...['SandboxExpect', 'UnhandledRequestStrategy', 'routeSandbox', 'RouteTarget'],
      ...['reportRequests', 'SandboxReporter', 'RunReportOptions'],
    ],
  },
  {
    title: 'Read a report',
    text: 'See [Integration report](./report.md).',
    names: [
      ...['Report', 'RuleResult', 'Evidence', 'CoverageCell', 'PlanForecast'],
      ...['TimelineInterval'],
    ],
  },
  {
    title: 'Write scenarios',
    text: 'See [Scenarios](./scenarios.md).',
    names: [
      ...['ScenarioSource', 'ScenarioName', 'ScenarioNames', 'Scenario', 'ScenarioInput'],
      ...['ScenarioFile', 'readScenarioFile', 'readScenarioDirectory', 'ScenarioError'],
      ...['PetInput', 'OrderInput'],
    ],
  },
  {
    title: 'Store worlds',
    text: 'See [Deployment](./deployment.md).',
    names: [
      ...['openDirectoryStore', 'DirectoryStoreOptions', 'openRedisStore', 'RedisStoreOptions'],
      ...['Store', 'StoredWorld', 'NewStep', 'Version', 'StoreError'],
    ],
  },
  {
    title: 'Types of the service',
    text: 'See [Reference](./reference.md).',
    names: [
      ...['OperationId', 'Pet', 'Order', 'InventoryItem', 'Message', 'PetState', 'OrderState'],
      ...['Problem', 'ErrorBody', 'ErrorCode'],
    ],
  },
]
