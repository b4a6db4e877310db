import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { controlOperationIds } from '../../src/control/operations.js'
import { operationIds } from '../../src/operations/operations.js'
import { createDirectory, run } from './support.js'

test('openapi prints the document with every operation', async () => {
  const { code, stdout, stderr } = await run(['openapi'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ info: { version: '1.0.0' } })
  for (const id of operationIds) expect(stdout).toContain(`"operationId": "${id}"`)
})

test('openapi --control prints the document of the control API with every operation', async () => {
  const { code, stdout, stderr } = await run(['openapi', '--control'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ info: { version: '1.0.0' } })
  for (const id of controlOperationIds) expect(stdout).toContain(`"operationId": "${id}"`)
})

test('openapi --output writes the same document to a file, and nothing to stdout', async () => {
  const file = join(await createDirectory({}), 'openapi.json')
  const { code, stdout, stderr } = await run(['openapi', '--output', file])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: `wrote ${file}\n` })
  const printed = await run(['openapi'])
  expect(await readFile(file, 'utf8')).toBe(printed.stdout)
})
