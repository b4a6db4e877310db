import { describe, expect, it } from 'vitest'
import { findProblems, splitProblems } from '../../src/console/scenarios/problems.js'
import { isMasked } from '../../src/console/scenarios/start.js'
import { PageClient } from '../../src/console/session/client.js'
import { toFailure } from '../../src/console/session/failure.js'
import { maskListedKeys } from '../../src/control/scenarios.js'
import type { Scenario } from '../../src/world/scenario/schema.js'
import { openSandbox, readServed } from './support.js'

describe('findProblems', () => {
  it.each([
    ['{\n  "a": 1,\n}', 3, 'expected a name in double quotes after the comma, found "}"'],
    ['[1,\n2,\n]', 3, 'expected a value after the comma, found "]"'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 'expected a comma, found "b"'],
    ["{\n  'a': 1\n}", 2, 'expected a value, or a name in double quotes, found "\'a\'"'],
    ['{\n  "a" 1\n}', 2, 'expected a colon after the name, found "1"'],
    ['{\n  "a": yes\n}', 2, 'expected a value, or a name in double quotes, found "yes"'],
    ['{\n  "a": "x\n}', 2, 'expected a closing double quote, found "x"'],
    ['{\n  "a": "\\\\\\x"\n}', 2, 'expected an escape sequence of JSON, found "\\\\\\\\\\\\x"'],
    ['{\n  "a": 1\n', 3, 'expected a comma or }, found the end of the document'],
    ['{}\n{}', 2, 'expected the end of the document, found "{"'],
    ['', 1, 'expected a value, found the end of the document'],
  ])('finds the line and the reason in %j', (text, line, message) => {
    expect(findProblems(text)).toMatchObject([{ message, place: { line } }])
  })

  it('rejects a document that is nested too deeply, and does not overflow the stack', () => {
    expect(findProblems('['.repeat(1_000_000))).toHaveLength(1)
    for (const levels of [3_000, 100_000]) {
      const problems = findProblems('['.repeat(levels) + ']'.repeat(levels))
      expect(problems.length).toBeLessThanOrEqual(1)
    }
  })

  it('warns about a name that an object has twice', () => {
    const problems = findProblems('{\n  "a": 1,\n  "a": 2\n}')
    expect(problems).toMatchObject([
      {
        message: '"a" is stated twice in the same object; the last one counts',
        place: { line: 3, column: 3 },
        isWarning: true,
      },
    ])
  })
})

describe('the problems of a rejected scenario', () => {
  async function find(text: string) {
    const sandbox = await openSandbox()
    const access = { apiKey: 'sbx_free', environment: 'production' as const }
    const client = new PageClient(readServed().control, access, sandbox.fetch)
    const message = await client.send('putScenario', { json: text }).then(
      () => expect.fail('the scenario must be invalid'),
      (error: unknown) => toFailure(error).message,
    )
    const problems = findProblems(text, splitProblems(message))
    return problems.filter(({ isWarning }) => !isWarning)
  }

  it.each<[string, string, number | undefined]>([
    [
      'an invalid value',
      '{\n"name": "a",\n"pets": [\n{"petId": 1, "name": "A",\n"quantity": 0.5}]}',
      5,
    ],
    ['an unknown field', '{\n"name": "a",\n"colour": 1}', 3],
    ['a missing field', '{"name": "a",\n"pets": [\n{\n"petId": 1}]}', 3],
    [
      'an id after an exact int64',
      '{"name":"a","pets":[{"petId":"9223372036854775807","name":"A"},\n{"petId":"9223372036854775808","name":"B"}]}',
      2,
    ],
    ['a name that is quoted in the path', '{"name":"a","quota":{\n"a.b must be": 1}}', 2],
    ['the scenario in an array', '["default",\n{"name":"a",\n"seed": "x"}]', 3],
    [
      'a value that depends on another',
      '{"name":"a",\n"deprecation":{"deprecatedAt":"2026-01-01T00:00:00Z",\n"sunsetAt":"2025-01-01T00:00:00Z"}}',
      3,
    ],
    ['an unknown scenario', '{"name":"a",\n"extends":"nonsense"}', 2],
    ['the whole document', '\n5', undefined],
  ])('finds the line of %s', async (_, text, line) => {
    const problems = await find(text)
    expect(problems.map(({ place }) => place?.line)).toEqual([line])
  })

  it('finds the line of each of several problems', async () => {
    const pets = Array.from({ length: 30 }, (_, at) => `\n{"petId":${at + 1},"name":7}`)
    const text = `{"name":"a","pets":[${pets}]}`
    const problems = await find(text)
    const more = problems.pop()
    expect(problems.map(({ place }) => place?.line)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 2),
    )
    expect(more).toEqual({ message: 'and 10 more', place: undefined })
  })
})

describe('isMasked', () => {
  const scenario: Scenario = {
    name: 'partners',
    apiKeys: [
      { key: 'own', plan: 'free' },
      { key: 'partner', plan: 'free' },
    ],
  }

  it('recognizes a snapshot from which the keys of others have been removed', () => {
    const masked = maskListedKeys(scenario, 'own', () => 'random')
    expect(isMasked(JSON.stringify(scenario))).toBe(false)
    expect(isMasked(JSON.stringify(masked))).toBe(true)
  })
})
