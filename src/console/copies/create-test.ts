import { wholeList } from '../../control/client/client.js'
import type { ControlResult } from '../../control/operations.js'
import { addresses } from '../../service/addresses.js'
import { parseJson } from '../../service/json.js'
import type { JournalEntry } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import type { Session } from '../session/session.js'
import type { ServiceRequest } from '../try/request.js'
import type { Runner } from './copy-test.js'
import { findDifferences, type RecordChange } from './differences.js'
import { readSent, type SentRequest, toComments } from './sent-request.js'

/** Maximum number of requests that a test repeats first. */
const maximumEarlier = 50

/** The world of a journal entry. */
export type TestedWorld = Pick<Session, 'access' | 'client' | 'points'> & {
  readonly journal: Pick<Session['journal'], 'entries'>
  readonly overview: Pick<ControlResult<'getOverview'>, 'scenario' | 'generation'> | undefined
}

/**
 * Returns the source of a test of a journal entry.
 *
 * @throws {RemoteError} If the state in which the test starts cannot be read.
 */
export async function createTest(
  entry: JournalEntry,
  world: TestedWorld,
  runner: Runner,
): Promise<string> {
  return toTest(entry, await findStart(entry, world), world.access.apiKey, runner)
}

/**
 * Returns the state in which a test of a request has to start: the latest snapshot before it, the
 * start of the scenario, or else the current state.
 */
async function findStart({ id }: JournalEntry, world: TestedWorld): Promise<TestStart> {
  const { client, journal, overview, points } = world
  const names = await findBuiltIn(world)
  const point = points.current.findLast(
    ({ generation, lastId }) => generation === overview?.generation && lastId < id,
  )
  const later = point && findBetween(journal.entries, point.lastId, id)
  if (later) {
    const next = later.length === 0 ? 'the request' : 'the requests that the test repeats'
    const state = await toState(point.json, client, names)
    return { ...state, earlier: later, description: `the state before ${next}` }
  }
  const earlier = findBetween(journal.entries, 0, id)
  if (earlier && names) {
    const description =
      'the scenario. The journal has no changes by the control API, so the test does not repeat any'
    return { scenario: toSource(names), changes: [], earlier, description }
  }
  // The current state includes the effects of the request.
  const { text } = await client.request('getSnapshot')
  const state = await toState(text, client, names)
  return {
    ...state,
    earlier: [],
    description: 'the state at the time of this copy, after the request',
  }
}

/**
 * Returns a snapshot as the scenario of the world and the differences from it.
 *
 * @param names Names of the scenario; undefined if it is not built in.
 */
async function toState(
  json: string,
  client: PageClient,
  names: readonly string[] | undefined,
): Promise<Pick<TestStart, 'scenario' | 'changes'>> {
  const snapshot = JSON.parse(json)
  if (!names) return { scenario: snapshot, changes: [] }
  // The start of the scenario is the state of a world that receives no requests.
  const fresh = client.withKey(`sbx_free_${names.join('+')}_copied-test`)
  const base = await fresh.send('getSnapshot').catch(() => undefined)
  const differences = base && findDifferences(base, snapshot)
  if (!differences) return { scenario: snapshot, changes: [] }
  const { fields, changes } = differences
  if (Object.keys(fields).length === 0) return { scenario: toSource(names), changes }
  return { scenario: { name: 'snapshot', extends: names, ...fields }, changes }
}

/** Returns the names of the scenario of a world; undefined if one of them is not built in. */
async function findBuiltIn({ client, overview }: TestedWorld): Promise<string[] | undefined> {
  const names = overview?.scenario.split('+') ?? []
  const known = await client.send('listScenarios', { query: wholeList })
  const isBuiltIn = (name: string) =>
    known.some((scenario) => scenario.name === name && scenario.source === 'built-in')
  return names.length > 0 && names.every(isBuiltIn) ? names : undefined
}

/** Returns names as a test states them: one as a string, several as an array. */
function toSource(names: readonly string[]): unknown {
  return names.length === 1 ? names[0] : names
}

/** Returns the entries between two ids, oldest first; undefined if some are missing or too many. */
function findBetween(
  entries: readonly JournalEntry[],
  after: number,
  before: number,
): readonly JournalEntry[] | undefined {
  const count = before - after - 1
  const found = entries.filter(({ id }) => id > after && id < before)
  return found.length === count && count <= maximumEarlier ? found.toReversed() : undefined
}

/** The state in which a test starts. */
export interface TestStart {
  /** Argument of `world.use`: names of built-in scenarios, or a scenario. */
  readonly scenario: unknown
  /** Changes to the records of the scenario. */
  readonly changes: readonly RecordChange[]
  /** Requests that the test repeats first, oldest first. */
  readonly earlier: readonly JournalEntry[]
  /** States what the start is, for a comment: `the state before the request`. */
  readonly description: string
}

/** The parts of a test that differ between test runners. */
type Syntax = ReturnType<typeof createExpect>

function createExpect(module: string) {
  return {
    imports: `import { expect, test } from "${module}"`,
    equal: (found: string, wanted: string) => `expect(${found}).toBe(${wanted})`,
    deepEqual: (found: string, wanted: string) => `expect(${found}).toEqual(${wanted})`,
    /** Asserts the code of the Error body of `response`. */
    hasCode: (code: string) =>
      `expect(await response.json()).toMatchObject({ code: ${toLiteral(code)} })`,
    /** Asserts that a promise rejects. */
    rejects: (promise: string) => `await expect(${promise}).rejects.toThrow()`,
  }
}

const syntaxes: Readonly<Record<Runner, Syntax>> = {
  vitest: createExpect('vitest'),
  Playwright: createExpect('@playwright/test'),
  'node:test': {
    imports: 'import assert from "node:assert/strict"\nimport { test } from "node:test"',
    equal: (found, wanted) => `assert.equal(${found}, ${wanted})`,
    deepEqual: (found, wanted) => `assert.deepEqual(${found}, ${wanted})`,
    hasCode: (code) => `assert.match(await response.text(), /"code":"${code}"/)`,
    rejects: (promise) => `await assert.rejects(${promise})`,
  },
}

/**
 * Returns the source of a test that starts a sandbox in the state, repeats the request of a journal
 * entry, and expects the same response. It has no types, so that it also is JavaScript.
 *
 * @param apiKey Key of the world, unmasked.
 */
export function toTest(
  entry: JournalEntry,
  start: TestStart,
  apiKey: string,
  runner: Runner,
): string {
  const syntax = syntaxes[runner]
  const lines = [
    'import { createSandbox } from "petstore-sandbox"',
    syntax.imports,
    '',
    `test(${toLiteral(toTitle(entry))}, async () => {`,
    '  const sandbox = await createSandbox({ sleep: async () => {} })',
    `  const world = await sandbox.worldFor(${toLiteral(apiKey)}, ${toLiteral(entry.environment)})`,
    `  // Starts in ${start.description}.`,
    `  await world.use(${toLiteral(start.scenario)})`,
    ...start.changes.map(
      ({ method, parameters }) => `  world.db.${method}(${parameters.map(toLiteral).join(', ')})`,
    ),
    ...start.earlier.flatMap((other) => [
      `  world.clock.freeze(${toLiteral(other.at)})`,
      `  await ${toFetch(readTested(other, apiKey).request)}.catch(() => {})`,
    ]),
    `  world.clock.freeze(${toLiteral(entry.at)})`,
    ...toExpectations(entry, apiKey, syntax).map((line) => `  ${line}`),
    '})',
  ]
  return `${lines.join('\n')}\n`
}

function toTitle({ operation, request, response }: JournalEntry): string {
  const what = operation ?? `${request.method} ${request.path}`
  if (response.status === 0) return `${what} loses the connection`
  return `${what} responds with ${response.status}${response.code ? ` ${response.code}` : ''}`
}

/** Returns the request of an entry to the sandbox of the test. */
function readTested(entry: JournalEntry, apiKey: string): SentRequest {
  return readSent(entry, addresses[entry.address ?? 'api'].url, apiKey)
}

function toFetch({ url, ...init }: ServiceRequest): string {
  return `sandbox.fetch(${toLiteral(url)}, ${toLiteral(init)})`
}

function toExpectations(entry: JournalEntry, apiKey: string, syntax: Syntax): string[] {
  const { status } = entry.response
  const { request, gaps } = readTested(entry, apiKey)
  const comments = toComments(gaps, '//')
  if (status === 0) return [...comments, syntax.rejects(toFetch(request))]
  return [
    ...comments,
    `const response = await ${toFetch(request)}`,
    syntax.equal('response.status', String(status)),
    ...toBodyExpectation(entry, syntax),
  ]
}

function toBodyExpectation(entry: JournalEntry, syntax: Syntax): string[] {
  const { request, response, incomplete, explanation } = entry
  const { body, code } = response
  if (body === null || request.method === 'HEAD') return []
  if (code) return [syntax.hasCode(code)]
  // A fault that truncates the body makes reading it fail.
  const isTruncated = explanation.some((line) => /truncates the body/.test(line))
  if (incomplete.includes('responseBody') || isTruncated) return []
  const value = parseJson(body)
  // An int64 beyond 2^53-1 is exact only as text.
  return value === undefined || /\d{16}/.test(body)
    ? [syntax.equal('await response.text()', toLiteral(body))]
    : [syntax.deepEqual('await response.json()', toLiteral(value))]
}

/** Formats JSON data as a literal, with short arrays and objects on one line. */
function toLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/^( *)"([a-z]\w*)": /gim, '$1$2: ')
    .replace(/[[{]\n[^[\]{}]{0,80}\n *[\]}]/g, (part) => part.replace(/\n\s*/g, ' '))
    .replaceAll('\n', '\n  ')
}
