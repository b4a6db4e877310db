import { addresses } from '../../service/addresses.js'
import { parseJson } from '../../service/json.js'
import type { JournalEntry } from '../control-types.js'
import { indentJson } from '../parts/indent-json.js'
import { findKey, keyPlaceholder, listMissing, toSentRequest } from './sent-request.js'

/** The state in which a test starts. */
export interface TestStart {
  /** Name of a built-in scenario, several joined with `+`, or a snapshot as JSON. */
  readonly scenario: { readonly name: string } | { readonly json: string }
  /** Requests that the test repeats first, oldest first. */
  readonly earlier: readonly JournalEntry[]
  /** States what the start is, for a comment: `the state before the request`. */
  readonly description: string
}

/**
 * Returns the source of a vitest test that starts a sandbox in the state, repeats the request of a
 * journal entry, and expects the same response.
 *
 * @param apiKey Key of the world, unmasked.
 */
export function toTest(entry: JournalEntry, start: TestStart, apiKey: string): string {
  const { scenario, earlier, description } = start
  const isNamed = 'name' in scenario
  const lines = [
    `import { createSandbox${isNamed ? '' : ', type Scenario'} } from 'petstore-sandbox'`,
    "import { expect, test } from 'vitest'",
    '',
    `// Starts in ${description}.`,
    `const scenario${isNamed ? '' : ': Scenario'} = ${isNamed ? toNames(scenario.name) : toLiteral(scenario.json)}`,
    ...toEarlierTable(earlier, apiKey),
    '',
    `test(${quote(toTitle(entry))}, async () => {`,
    '  const sandbox = await createSandbox({ sleep: async () => {} })',
    `  const world = await sandbox.worldFor(${quote(apiKey)}, ${quote(entry.environment)})`,
    '  await world.use(scenario)',
    ...toEarlierLoop(earlier),
    `  world.clock.freeze(${quote(entry.at)})`,
    ...toExpectations(entry, apiKey).map((line) => `  ${line.replaceAll('\n', '\n  ')}`),
    '})',
  ]
  return `${lines.join('\n')}\n`
}

function toNames(name: string): string {
  const names = name.split('+').map(quote)
  return names.length === 1 ? names.join() : `[${names.join(', ')}] as const`
}

function toTitle({ operation, request, response }: JournalEntry): string {
  const what = operation ?? `${request.method} ${request.path}`
  if (response.status === 0) return `${what} loses the connection`
  return `${what} responds with ${response.status}${response.code ? ` ${response.code}` : ''}`
}

function toEarlierTable(earlier: readonly JournalEntry[], apiKey: string): string[] {
  if (earlier.length === 0) return []
  const rows = earlier.map((entry) => {
    const init = JSON.stringify(toInit(entry, apiKey))
    return `  [${quote(entry.at)}, ${quote(toUrl(entry))}, ${init}],`
  })
  return [
    '',
    '// The requests that the world received before: time, URL and options.',
    'const earlier: [string, string, RequestInit][] = [',
    ...rows,
    ']',
  ]
}

function toEarlierLoop(earlier: readonly JournalEntry[]): string[] {
  if (earlier.length === 0) return []
  return [
    '  for (const [at, url, init] of earlier) {',
    '    world.clock.freeze(at)',
    '    await sandbox.fetch(url, init).catch(() => {})',
    '  }',
  ]
}

function toExpectations(entry: JournalEntry, apiKey: string): string[] {
  const { response } = entry
  const init = toLiteral(JSON.stringify(toInit(entry, apiKey)))
  const request = `sandbox.fetch(${quote(toUrl(entry))}, ${init})`
  const missing = listMissing(entry).join(', ')
  const partial = [
    ...(missing ? [`// The journal does not have ${missing.replaceAll(/[^ -~]/g, '?')}.`] : []),
    ...(findKey(entry, apiKey) === keyPlaceholder
      ? [`// The journal has only the beginning of the key. Replace ${keyPlaceholder}.`]
      : []),
  ]
  if (response.status === 0) return [...partial, `await expect(${request}).rejects.toThrow()`]
  return [
    ...partial,
    `const response = await ${request}`,
    `expect(response.status).toBe(${response.status})`,
    ...toBodyExpectation(entry),
  ]
}

function toBodyExpectation({ request, response, incomplete, explanation }: JournalEntry): string[] {
  const { body, code } = response
  if (body === null || request.method === 'HEAD') return []
  if (code) return [`expect(await response.json()).toMatchObject({ code: ${quote(code)} })`]
  // A fault that truncates the body makes reading it fail.
  const isTruncated = explanation.some((line) => /truncates the body/.test(line))
  if (incomplete.includes('responseBody') || isTruncated) return []
  // An int64 beyond 2^53-1 is exact only as text.
  if (/\d{16}/.test(body)) return [`expect(await response.text()).toBe(${quote(body)})`]
  return parseJson(body) === undefined
    ? [`expect(await response.text()).toBe(${quote(body)})`]
    : [`expect(await response.json()).toEqual(${toLiteral(body)})`]
}

function toInit(entry: JournalEntry, apiKey: string): RequestInit {
  const { url: _, ...init } = toSentRequest(entry, '', findKey(entry, apiKey))
  return init
}

function toUrl(entry: JournalEntry): string {
  return toSentRequest(entry, addresses[entry.address ?? 'api'].url, undefined).url
}

/** Converts JSON to an indented literal, whose lines break only between values. */
function toLiteral(json: string): string {
  return indentJson(json).replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')
}

function quote(text: string): string {
  const escaped = JSON.stringify(text)
  if (text.includes("'")) return escaped
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"')}'`
}
