import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { controlOperationIds } from '../../src/control/operations.js'
import { operationIds } from '../../src/service/operations/operations.js'
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

test('openapi prints the servers of a sandbox on this machine, or those of --public-url', async () => {
  const readServers = async (...args: string[]) => {
    const { stdout } = await run(['openapi', ...args])
    const { servers }: { servers: { url: string }[] } = JSON.parse(stdout)
    return servers.map(({ url }) => url)
  }
  const local = 'http://127.0.0.1:4010'
  expect(await readServers()).toEqual([`${local}/v1`, `${local}/staging/v1`])
  expect(await readServers('--control')).toEqual([local, `${local}/staging`])
  const url = 'https://sandbox.example/petstore'
  expect(await readServers('--public-url', `${url}/`)).toEqual([`${url}/v1`, `${url}/staging/v1`])
})

test.each([[[]], [['--control']]])('openapi %j --openapi 3.0 prints OpenAPI 3.0', async (args) => {
  const { code, stdout } = await run(['openapi', ...args, '--openapi', '3.0'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.0.4', info: { version: '1.0.0' } })
})

test('openapi --output writes the same document to a file, and nothing to stdout', async () => {
  const file = join(await createDirectory({}), 'openapi.json')
  const { code, stdout, stderr } = await run(['openapi', '--output', file])
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: `wrote ${file}\n` })
  const printed = await run(['openapi'])
  expect(await readFile(file, 'utf8')).toBe(printed.stdout)
})
