import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readControlContract } from '../../src/console/documents/documents.js'
import { readServiceContract } from '../../src/console/documents/service.js'
import type { InProcessSandbox } from '../../src/index.js'
import type { SandboxServer } from '../../src/server.js'
import type { OpenApiDocument } from '../../src/service/openapi/build.js'
import { apply, copySource, readAdditions, root } from './additions.js'

const run = promisify(execFile)
const directory = mkdtempSync(join(tmpdir(), 'petstore-sandbox-additions-'))
const additions = readAdditions()
/** Whether an addition is a part of the kind of record `owners`. */
const isPartOfKind = ({ text }: { readonly text: string }) => /\bowners?\b/.test(text)
const partsOfKind = additions.filter(isPartOfKind).map(({ file }) => file)
const authorization = 'Bearer sbx_startup'

let sandbox: InProcessSandbox
let server: SandboxServer
let url: string

beforeAll(async () => {
  copySource(directory)
  for (const addition of additions) apply(addition, directory)
  // A type error makes tsc, and so the test, fail.
  await Promise.all([
    build('typescript/bin/tsc', '-p', 'src/tsconfig.build.json'),
    build('vite/bin/vite.js', 'build', 'src/console', '--logLevel', 'error'),
  ])
  await run(process.execPath, ['build/build.js'], { cwd: directory })
  await build('typescript/bin/tsc', '-p', 'scripts')
  const { createSandbox } = await load('esm/index.js')
  const { createSandboxServer } = await load('esm/server.js')
  sandbox = await createSandbox()
  server = await createSandboxServer()
  url = await server.listen({ port: 0 })
})

afterAll(async () => {
  await server?.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Runs a program of node_modules in the copy. */
function build(program: string, ...args: readonly string[]) {
  return run(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: directory })
}

/** Imports a built file of the copy. */
function load(file: string) {
  return import(pathToFileURL(join(directory, 'dist', file)).href)
}

/** Sends a request to the sandbox in process or over HTTP. */
function send(transport: string, path: string, init: RequestInit = {}): Promise<Response> {
  const request = { ...init, headers: { authorization, 'content-type': 'application/json' } }
  return transport === 'HTTP'
    ? fetch(`${url}${path}`, request)
    : sandbox.fetch(`https://api.petstore.example${path}`, request)
}

async function readDocument(name: string): Promise<OpenApiDocument> {
  const response = await fetch(`${url}/${name}`)
  return (await response.json()) as OpenApiDocument // the server builds it from this type
}

async function readHelp(...args: readonly string[]): Promise<string> {
  const cli = join(directory, 'dist/cjs/cli.js')
  const { stdout } = await run(process.execPath, [cli, ...args, '--help'])
  return stdout
}

test('an addition is one new file and one line, a plan is one entry, and a record four files', () => {
  const count = (wanted: string) => additions.filter(({ action }) => action === wanted).length
  expect(['create', 'append', 'insert'].map(count)).toEqual([4, 4, 3])
  for (const { action, text } of additions) {
    if (action === 'append') expect(text.trim().split('\n')).toHaveLength(1)
  }
  expect(partsOfKind).toHaveLength(4)
})

test('the kind of record does not compile without its entry or its line in a table', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'petstore-sandbox-omission-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  copySource(copy)
  // The other parts are imported by name.
  const isOmitted = ({ file }: { readonly file: string }) => /(records|table)\.ts$/.test(file)
  for (const addition of additions) {
    if (!(isPartOfKind(addition) && isOmitted(addition))) apply(addition, copy)
  }
  const args = [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit']
  const compiled = run(process.execPath, [...args, '-p', 'src/tsconfig.build.json'], { cwd: copy })
  const { stdout } = await compiled.catch((error: { readonly stdout: string }) => error)
  expect(stdout).toMatch(/^src\/service\/records\.ts.*'owners' is missing/m)
  expect(stdout).toMatch(/^src\/control\/.*"listOwners"/m)
})

describe.each(['in process', 'HTTP'])('the additions respond: %s', (transport) => {
  test('the operation with 204, and 404 once the pet is gone', async () => {
    const init = { method: 'DELETE' }
    const response = await send(transport, '/v1/inventory/7', init)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(response.headers.get('Content-Type')).toBeNull()
    const again = await send(transport, '/v1/inventory/7', init)
    expect(await again.json()).toMatchObject({ status: 404, code: 'pet_not_found' })
  })

  test('the plan with its limit', async () => {
    const response = await send(transport, '/v1/inventory')
    expect(response.headers.get('X-RateLimit-Limit')).toBe('120')
  })

  test('the control operation with the plan', async () => {
    const response = await send(transport, '/sandbox/plans')
    expect(await response.json()).toContainEqual({
      id: 'startup',
      requestsPerMinute: 120,
      requestsPerDay: 5_000,
    })
  })

  test('the control operation in a handle of connect', async () => {
    const { connect } = await load('esm/connect.js')
    const root = transport === 'HTTP' ? url : 'https://api.petstore.example'
    const send = transport === 'HTTP' ? fetch : sandbox.fetch
    const world = await connect({ url: root, apiKey: 'sbx_startup', fetch: send })
    const plans = await world.control.listPlans()
    expect(plans).toContainEqual(expect.objectContaining({ id: 'startup' }))
    await expect(world.requests.find('deleteInventory')).resolves.toEqual(expect.any(Array))
  })

  test('the kind of record: it is added, listed, kept by a snapshot, and gone after a reset', async () => {
    const body = JSON.stringify({ ownerId: 2, name: 'Bob', email: 'bob@petstore.example' })
    const added = await send(transport, '/sandbox/owners', { method: 'POST', body })
    const bob = { ownerId: 2, name: 'Bob', city: 'Springfield', email: 'bob@petstore.example' }
    expect([added.status, await added.json()]).toEqual([201, bob])
    const list = async () => (await send(transport, '/sandbox/owners')).json()
    expect(await list()).toEqual([bob])
    const overview = await (await send(transport, '/sandbox')).json()
    expect(overview).toMatchObject({ counts: { owners: 1 }, changes: { owners: 1 } })
    const snapshot = await (await send(transport, '/sandbox/snapshot')).json()
    expect(snapshot).toMatchObject({ owners: [bob] })
    await send(transport, '/sandbox/reset', { method: 'POST' })
    expect(await list()).toEqual([])
    await send(transport, '/sandbox/scenario', { method: 'PUT', body: JSON.stringify(snapshot) })
    expect(await list()).toEqual([bob])
    await send(transport, '/sandbox/scenario', { method: 'PUT', body: '"default"' })
    expect(await list()).toEqual([])
  })

  test('the fault by resetting the connection', async () => {
    const body = JSON.stringify({ type: 'timeout', afterMs: 0, operation: 'deleteInventory' })
    const added = await send(transport, '/sandbox/faults', { method: 'POST', body })
    expect(added.status).toBe(201)
    const request = send(transport, '/v1/inventory/2', { method: 'DELETE' })
    await expect(request).rejects.toThrow(TypeError)
  })
})

describe('the additions appear', () => {
  test('in the OpenAPI document of the service', async () => {
    const { paths } = await readDocument('openapi.json')
    const operation = paths['/inventory/{petId}']?.delete
    expect(operation?.operationId).toBe('deleteInventory')
    expect(operation?.responses['204']).not.toHaveProperty('content')
    expect(Object.keys(operation?.responses ?? {})).toContain('404')
  })

  test('in the OpenAPI document of the control API', async () => {
    const { paths, components } = await readDocument('openapi.sandbox.json')
    expect(paths['/sandbox/plans']?.get?.operationId).toBe('listPlans')
    const fault = JSON.stringify(components.schemas.Fault)
    expect(fault).toContain('"const":"timeout"')
    expect(fault).toContain('deleteInventory')
    expect(JSON.stringify(paths['/sandbox/keys'])).toContain('"startup"')
  })

  test('in the reference', async () => {
    const { toReferenceMarkdown } = await load('derive/scripts/reference/service.js')
    const { toControlReferenceMarkdown } = await load('derive/scripts/reference/control.js')
    expect(toReferenceMarkdown()).toContain('### deleteInventory')
    expect(toReferenceMarkdown()).toContain('| Startup | 120 | 5,000 |')
    expect(toControlReferenceMarkdown()).toContain('**listPlans**: `GET /sandbox/plans`')
    expect(toControlReferenceMarkdown()).toContain('| `afterMs` | integer')
  })

  test('in the data of the console', async () => {
    const service = readServiceContract(await readDocument('openapi.json'), url)
    expect(service.operations.find(({ id }) => id === 'deleteInventory')).toMatchObject({
      method: 'DELETE',
      success: { status: 204 },
    })
    const control = readControlContract(await readDocument('openapi.sandbox.json'), url)
    const timeout = control.faultKinds.find(({ type }) => type === 'timeout')
    expect(timeout).toMatchObject({
      title: 'Timeout',
      fields: expect.arrayContaining([expect.objectContaining({ title: 'Milliseconds' })]),
    })
    const script = await (await fetch(`${url}/console.js`)).text()
    expect(script).toContain('Startup')
    expect(script).toContain('listPlans')
  })

  test('in the help of the command line', async () => {
    expect(await readHelp('world')).toMatch(/^\s+plans\b/m)
    expect(await readHelp('world', 'plans')).toContain('Lists the')
    expect(await readHelp('world', 'faults', 'add')).toContain('timeout')
    expect(await readHelp('key')).toContain('startup')
  })
})
