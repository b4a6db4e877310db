import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { type Quote, readStatements } from '../../scripts/fidelity/specification.js'
import { unobservable } from '../../scripts/fidelity/unobservable.js'
import { allChecks } from '../../src/verify/run.js'

const page = await readFile(new URL('../../docs/specification.md', import.meta.url), 'utf8')
const statements = readStatements(page)
const toId = ({ section, sentence }: Quote) => `§${section} ${sentence}`
const quoted = new Set(
  allChecks.flatMap(({ statement, restated = [] }) => [statement, ...restated]),
)
const excluded = new Set(unobservable.map(toId))

describe('the register of checks', () => {
  test.each(
    statements.filter(({ kind }) => kind !== 'heading').map((statement) => [toId(statement)]),
  )('has a check, or a reason why there is none, for %s', (id) => {
    expect([quoted.has(id), excluded.has(id)].filter(Boolean)).toEqual([true])
  })

  test('quotes the specification', () => {
    const known = new Set(statements.map(toId))
    expect([...quoted, ...excluded].filter((id) => !known.has(id))).toEqual([])
  })

  test('has unique ids', () => {
    const ids = allChecks.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
    for (const id of ids) expect(id).toMatch(/^[a-z-]+\.[a-z0-9-]+$/)
  })

  test('does not state a fact in two statements of one section', () => {
    const ids = statements.map(toId)
    expect(ids).toEqual([...new Set(ids)])
  })
})
