import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ControlOperation } from '../../../src/control/operation.js'
import { controlOperationIds, controlOperations } from '../../../src/control/operations.js'
import { createSandboxServer, type SandboxServer } from '../../../src/server.js'
import { type AddressId, addresses } from '../../../src/service/addresses.js'
import type { Operation } from '../../../src/service/operations/operation.js'
import { operationIds, operations } from '../../../src/service/operations/operations.js'
import { RawClient, type RawResponse } from '../../support/raw-client.js'
import { watchErrors } from './support/open-server.js'

/** An operation at one address. */
interface Target {
  readonly title: string
  readonly address: AddressId
  readonly definition: Operation | ControlOperation
}

const allTargets: readonly Target[] = [
  ...operationIds.flatMap((id) =>
    operations[id].addresses.map((address) => toTarget(id, address, operations[id])),
  ),
  ...controlOperationIds.map((id) => toTarget(id, 'control', controlOperations[id])),
]

/** The first target of each shape: the corridor of the others is the same. */
const targets = allTargets.filter(
  (target, at) => allTargets.findIndex((other) => toShape(other) === toShape(target)) === at,
)

/** Returns what decides which mistakes a target rejects, and its method. */
function toShape({ address, definition }: Target): string {
  const { method, path, request } = definition
  return `${address} ${method} ${path.includes('{')} ${request === undefined}`
}

function toTarget(id: string, address: AddressId, definition: Target['definition']): Target {
  return { title: `${id} at ${addresses[address].httpPath}`, address, definition }
}

/** The parts of a request. Each mistake replaces one of them. */
interface Parts {
  method: string
  id: string
  query: string
  host: string
  authorization: string
  type: string
  encoding: string
  expect: string
  prefer: string
  body: string
}

type Part = keyof Parts

interface Mistake {
  readonly title: string
  readonly part: Part
  readonly value: string
}

const longText = 'a'.repeat(70_000)
const mistakes: readonly Mistake[] = [
  ['an id that is not a number', 'id', 'x'],
  ['an id beyond int64', 'id', '9223372036854775808'],
  ['an id with a broken escape', 'id', '%zz'],
  ['an unknown query parameter', 'query', '?verbose=1'],
  ['a repeated query parameter', 'query', '?limit=1&limit=1'],
  ['two hosts', 'host', 'Host: localhost\r\nHost: localhost\r\n'],
  ['no key', 'authorization', ''],
  ['an unknown key', 'authorization', 'Authorization: Bearer nonsense\r\n'],
  ['an unknown scenario', 'authorization', 'Authorization: Bearer sbx_free_nonsense\r\n'],
  ['another media type', 'type', 'Content-Type: text/plain\r\n'],
  ['a compressed body', 'encoding', 'Content-Encoding: gzip\r\n'],
  ['an unknown Expect', 'expect', 'Expect: 200-maybe\r\n'],
  ['a strict preference', 'prefer', 'Prefer: handling=strict, nonsense\r\n'],
  ['an unknown method', 'method', 'PROPFIND'],
  ['TRACE', 'method', 'TRACE'],
  ['a truncated body', 'body', '{'],
  ['a truncated body of 70,000 bytes', 'body', `{"a":"${longText}`],
  ['a body that is a string', 'body', '"x"'],
  ['a body that is a string of 70,000 bytes', 'body', `"${longText}"`],
  ['40,000 nested arrays', 'body', '['.repeat(40_000) + ']'.repeat(40_000)],
].map(([title = '', part, value = '']) => ({ title, part: part as Part, value })) // one of the parts above

/** Returns the mistakes that an operation rejects. */
function findMistakes({ address, definition }: Target): readonly Mistake[] {
  return mistakes.filter(({ part }) => {
    if (part === 'id') return definition.path.includes('{')
    // The service ignores the query.
    if (part === 'prefer') return addresses[address].api === 'service'
    if (part === 'query') return addresses[address].api === 'control'
    if (part === 'body' || part === 'type' || part === 'encoding') return definition.request
    return true
  })
}

function toPairs(rejected: readonly Mistake[]): readonly (readonly Mistake[])[] {
  return rejected.flatMap((first, at) => [
    [first],
    ...rejected.slice(at + 1).flatMap((second) => {
      return first.part === second.part ? [] : [[first, second]]
    }),
  ])
}

function toRequest({ address, definition }: Target, made: readonly Mistake[]): string {
  const parts: Parts = {
    method: definition.method,
    id: '1',
    query: '',
    host: 'Host: localhost\r\n',
    authorization: 'Authorization: Bearer sbx_enterprise\r\n',
    type: 'Content-Type: application/json\r\n',
    encoding: '',
    expect: '',
    prefer: '',
    body: definition.request ? '{}' : '',
  }
  for (const { part, value } of made) parts[part] = value
  const { method, id, query, host, authorization, type, encoding, expect, prefer, body } = parts
  const path = `${addresses[address].httpPath}${definition.path.replace(/\{\w+\}/, id)}${query}`
  const headers = [host, authorization, type, encoding, expect, prefer].join('')
  return `${method} ${path} HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
}

let server: SandboxServer
let port = 0
let witness: RawClient
const rejections: unknown[] = []
const onRejection = (reason: unknown) => rejections.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', onRejection)
  // The witness is idle while the other requests are processed.
  const limits = { clientControlRequests: 1_000_000, keepAliveTimeoutMs: 600_000 }
  server = await createSandboxServer({ limits })
  port = Number(new URL(await server.listen({ port: 0 })).port)
  witness = new RawClient(port)
})

afterAll(async () => {
  witness.abort()
  await server.close({ timeoutMs: 100 })
  process.off('unhandledRejection', onRejection)
})

/** Sends a request on a new connection, and then a correct one on a connection that stays open. */
async function sendBoth(request: string): Promise<readonly [RawResponse, RawResponse]> {
  const client = new RawClient(port)
  const response = await client.send(request).response()
  client.abort()
  const target = { title: '', address: 'api', definition: operations.listInventory } as const
  return [response, await witness.send(toRequest(target, [])).response()]
}

/** Sends a large valid body. Bodies are parsed in their order, so that the others have been parsed. */
async function parseAll(): Promise<void> {
  const target = {
    title: '',
    address: 'control',
    definition: controlOperations.replaceFaults,
  } as const
  const body = `[${' '.repeat(70_000)}]`
  await witness.send(toRequest(target, [{ title: '', part: 'body', value: body }])).response()
}

describe('two mistakes in one request', () => {
  test.each(targets.map((target) => [target.title, target] as const))(
    '%s: each pair is rejected, and the next request is served',
    async (_, target) => {
      const errors = watchErrors()
      for (const made of toPairs(findMistakes(target))) {
        const title = made.map((mistake) => mistake.title).join(' and ')
        const [response, next] = await sendBoth(toRequest(target, made))
        expect(response.status, title).toBeGreaterThanOrEqual(400)
        expect(response.status, title).toBeLessThan(500)
        const body: unknown = JSON.parse(response.text)
        const error = {
          code: expect.any(String),
          message: expect.any(String),
          status: response.status,
        }
        expect(body, title).toEqual(error)
        expect(next.status, title).toBe(200)
        expect(rejections.splice(0), title).toEqual([])
      }
      await parseAll()
      expect(rejections.splice(0)).toEqual([])
      expect(errors).not.toHaveBeenCalled()
    },
  )
})
