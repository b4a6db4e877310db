import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { toControlReferenceMarkdown } from '../../scripts/reference/control.js'
import { listFields } from '../../scripts/reference/fields.js'
import { controlResources } from '../../src/control/operations.js'
import type { JsonSchema } from '../../src/service/openapi/schemas.js'

const page = toControlReferenceMarkdown()

describe('the reference of the control API', () => {
  test('in docs matches the definitions; if not, run npm run derive', async () => {
    const file = new URL('../../docs/reference.md', import.meta.url)
    const [, control] = (await readFile(file, 'utf8')).split('\n## Control API\n')
    expect(`## Control API\n${control}`).toBe(page)
  })

  test.each(controlResources)('lists every operation of $title', ({ title, operations }) => {
    const [, group = ''] = page.split(`\n### ${title}\n`)
    const [part] = group.split('\n### ')
    for (const [id, { method, path }] of Object.entries(operations)) {
      expect(part).toContain(`**${id}**: \`${method} /sandbox${path}\``)
    }
  })

  test('lists the parameters and fields of an operation, including nested ones', () => {
    expect(page).toContain('| `since` | date-time |')
    expect(page).toContain('| `minute.remaining` | integer |')
    expect(page).toContain('| `name` | string, required | Name of the pet. |')
    expect(page).toContain(
      '| `plan` | "free" or "pro" or "business" or "enterprise", default "free" |',
    )
  })
})

describe('listFields', () => {
  test('lists a field of several alternatives once, with all types', () => {
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

  test('lists the fields of an entry once if an array of entries is also allowed', () => {
    const entry: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const fields = listFields({ anyOf: [entry, { type: 'array', items: entry }] })
    expect(fields.map(({ path }) => path)).toEqual(['name'])
  })
})
