import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { toReferenceMarkdown } from '../../scripts/reference/service.js'
import { assumptions } from '../../src/service/assumptions.js'
import { errorCodes } from '../../src/service/errors.js'
import { operationIds } from '../../src/service/operations/operations.js'

const page = toReferenceMarkdown()

describe('the reference of the service', () => {
  test('in docs matches the contract; if not, run npm run derive', async () => {
    const file = new URL('../../docs/reference.md', import.meta.url)
    const [contract] = (await readFile(file, 'utf8')).split('\n## Control API\n')
    expect(contract).toBe(page)
  })

  test.each(Object.keys(assumptions))('has a row for assumption %s', (id) => {
    expect(page).toMatch(new RegExp(`^\\| ${id} \\| .+ \\| .+ \\|`, 'm'))
  })

  test.each(Object.entries(errorCodes))('has a row for %s with its status', (code, { status }) => {
    expect(page).toContain(`| \`${code}\` | ${status} |`)
  })

  test.each(operationIds)('has a section for %s', (id) => {
    expect(page).toContain(`\n### ${id}\n`)
  })
})
