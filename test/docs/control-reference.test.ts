import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { toControlReferenceMarkdown } from '../../scripts/reference/control.js'
import { listFields } from '../../scripts/reference/fields.js'
import { controlOperationIds, controlOperations } from '../../src/control/operations.js'
import type { JsonSchema } from '../../src/openapi/schemas.js'

const page = toControlReferenceMarkdown()

describe('the reference of steering', () => {
  test('in docs is what the table says; else run node scripts/derive-reference.mjs after a build', async () => {
    const file = new URL('../../docs/reference.md', import.meta.url)
    const [, steering] = (await readFile(file, 'utf8')).split('\n## Steering\n')
    expect(`## Steering\n${steering}`).toBe(page)
  })

  test.each(controlOperationIds)('has %s with its call, below its group', (id) => {
    const { method, path, resource } = controlOperations[id]
    const [, group = ''] = page.split(`\n### ${resource}\n`)
    const [part] = group.split('\n### ')
    expect(part).toContain(`**${id}**: \`${method} /sandbox${path}\``)
  })

  test('has the parameters and fields of an operation, those of objects in it too', () => {
    expect(page).toContain('| `since` | date-time | Only calls')
    expect(page).toContain('| `minute.remaining` | integer |')
    expect(page).toContain('| `name` | string, required | Name of the pet. |')
    expect(page).toContain(
      '| `plan` | "free" or "pro" or "business" or "enterprise", default "free" |',
    )
  })
})

describe('listFields', () => {
  test('lists a field once that several forms have, with the types of all', () => {
    const a: JsonSchema = { const: 'a', description: 'A.' }
    const b: JsonSchema = { const: 'b', description: 'B.' }
    const oneOf: JsonSchema[] = [
      { properties: { type: a, x: { type: 'integer' } }, required: ['type', 'x'] },
      { properties: { type: b }, required: ['type'] },
    ]
    expect(listFields({ type: 'array', items: { oneOf } })).toEqual([
      { path: '[].type', type: '"a" or "b"', isRequired: true, meaning: 'A. B.' },
      { path: '[].x', type: 'integer', isRequired: true, meaning: '' },
    ])
  })

  test('lists nothing of a list that may also be one of its entries', () => {
    const entry: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const fields = listFields({ anyOf: [entry, { type: 'array', items: entry }] })
    expect(fields.map(({ path }) => path)).toEqual(['name'])
  })
})
