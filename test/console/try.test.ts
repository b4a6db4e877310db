import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  findOperation,
  predictErrorCode,
  type ServiceOperation,
} from '../../src/console/documents/service.js'
import { sendRequest, toCurl, toRequest } from '../../src/console/try/request.js'
import { openSandbox, origin, readServed } from './support.js'

const root = 'http://127.0.0.1:4010'
const access = { apiKey: 'sbx_free', environment: 'production' } as const

function getOperation(id: string, base = root): ServiceOperation {
  const operation = findOperation(readServed(base).service, id)
  if (operation) return operation
  throw new Error(`the document must have the operation ${id}`)
}

function toBody({ requestExample }: ServiceOperation): string | undefined {
  return requestExample === undefined ? undefined : JSON.stringify(requestExample)
}

describe('toRequest', () => {
  it.each([
    ['updateInventory', 'staging', 'PATCH', '/staging/v1/inventory/7'],
    ['sendMessage', 'staging', 'POST', '/quickstart/messages'],
  ] as const)('sends %s in %s as %s %s', (id, environment, method, path) => {
    const request = toRequest(getOperation(id), { ...access, environment }, { petId: '7' })
    expect(request).toMatchObject({ method, url: `${root}${path}` })
  })

  it('sends the preferences, and a Content-Type only with a body', () => {
    const input = { code: '404', delay: '1.5', body: '{}' }
    expect(toRequest(getOperation('sendMessage'), access, input).headers).toEqual({
      Authorization: 'Bearer sbx_free',
      'Content-Type': 'application/json',
      Prefer: 'code=404, delay=1.5',
    })
    const { headers } = toRequest(getOperation('listOrders'), access)
    expect(Object.keys(headers)).toEqual(['Authorization'])
  })

  it('encodes a path parameter as one segment', () => {
    const { url } = toRequest(getOperation('getPet'), access, { petId: '../7?x#y' })
    expect(url).toBe(`${root}/v1/pets/..%2F7%3Fx%23y`)
  })

  it('encodes query parameters and omits empty ones', () => {
    const parameters = ['status', 'limit'].map(
      (name) => ({ name, in: 'query', isRequired: false, example: '' }) as const,
    )
    const operation = { ...getOperation('listOrders'), parameters }
    const input = { status: 'a&b', limit: '' }
    expect(toRequest(operation, access, input).url).toBe(`${root}/v1/store/orders?status=a%26b`)
  })
})

it('toCurl quotes each argument for a shell', () => {
  const body = `{"message":"it's $HOME \\\\ \`x\` ünï"}`
  const request = toRequest(getOperation('sendMessage'), access, { body })
  const words = toCurl(request).replace(/^curl/, "printf '%s\\n'")
  expect(execFileSync('sh', ['-c', words], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
    '-i',
    '-X',
    'POST',
    `${root}/quickstart/messages`,
    '-H',
    'Authorization: Bearer sbx_free',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
    body,
  ])
})

describe('predictErrorCode', () => {
  const { operations } = readServed().service
  const cases = operations.flatMap((operation) =>
    operation.preferableStatuses.map((status) => ({ id: operation.id, operation, status })),
  )

  it.each(cases)(
    'returns the code that $id responds with to Prefer: code=$status',
    async ({ operation, status }) => {
      const { fetch } = await openSandbox()
      const body = toBody(operation)
      const input = { petId: '7', code: String(status), ...(body !== undefined && { body }) }
      const outcome = await sendRequest(toRequest(operation, access, input), fetch)
      expect(outcome.status).toBe(status)
      // A response without content has no Error body, and so no code.
      const { code } = status === 204 ? {} : JSON.parse(outcome.body)
      expect(predictErrorCode(operation, status)).toBe(code)
      if (status === 204) expect(outcome.body).toBe('')
    },
  )

  it('returns invalid_api_key for 401, because each request has a key', () => {
    expect(predictErrorCode(getOperation('getPet'), 401)).toBe('invalid_api_key')
  })
})

describe('sendRequest', () => {
  it('returns the status, headers and body of a response', async () => {
    const { fetch } = await openSandbox()
    const request = toRequest(getOperation('listInventory', origin), access, { code: '429' })
    const outcome = await sendRequest(request, fetch)
    expect(outcome.status).toBe(429)
    expect(JSON.parse(outcome.body)).toMatchObject({ code: 'rate_limit_exceeded' })
    expect(outcome.headers.map(([name]) => name)).toContain('retry-after')
  })

  it.each([
    ['reset', undefined, /before the response/],
    ['truncate', 200, /before the end of the body/],
  ] as const)('explains a connection that a fault of type %s closed', async (type, status, why) => {
    const sandbox = await openSandbox()
    sandbox.world.faults.add({ type })
    const request = toRequest(getOperation('listInventory', origin), access)
    const outcome = await sendRequest(request, sandbox.fetch)
    expect(outcome.status).toBe(status)
    expect(outcome.failure).toMatch(why)
  })
})
