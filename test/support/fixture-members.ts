import type { TestSandbox } from '../../src/testing/test-sandbox.js'

/** Members of the fixture `sandbox` for tests, with the type of each. The compiler checks the names. */
export const fixtureMembers = {
  apiKey: 'string',
  plan: 'string',
  headers: 'object',
  baseUrl: 'string',
  stagingBaseUrl: 'string',
  quickstartBaseUrl: 'string',
  world: 'object',
  stagingWorld: 'object',
  account: 'object',
  use: 'function',
  reset: 'function',
  fetch: 'function',
  apiKeyFor: 'function',
  worldFor: 'function',
  subscribe: 'function',
  onChange: 'function',
  answers: 'function',
  handlers: 'object',
  handlerGroups: 'object',
  core: 'object',
  save: 'function',
  close: 'function',
} as const satisfies Record<Exclude<keyof TestSandbox, InternalMember>, string>

/** Members that the fixtures use themselves. */
type InternalMember = 'bases' | 'endpoints' | 'send' | 'start'

/** Returns the type of each member of a fixture. */
export function readMembers(sandbox: TestSandbox): Record<string, string> {
  const names = Object.keys(fixtureMembers) as (keyof typeof fixtureMembers)[] // of the table
  return Object.fromEntries(names.map((name) => [name, typeof sandbox[name]]))
}
