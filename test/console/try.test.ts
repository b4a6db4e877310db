import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { toCurl } from '../../src/console/try/curl.js'
import { parametersOf, toRequest } from '../../src/console/try/real-request.js'
import { sendRequest } from '../../src/console/try/send-request.js'
import { operationIds, operations } from '../../src/operations/operations.js'
import { createSandbox } from '../../src/index.js'

const root = 'http://127.0.0.1:4010'
const access = { apiKey: 'sbx_free', environment: 'production' } as const
const nothing = { parameters: {}, body: undefined, code: '', wait: '' }

describe('toRequest', () => {
  it.each([
    ['listInventory', 'production', 'GET', '/v1/inventory'],
    ['updateInventory', 'staging', 'PATCH', '/staging/v1/inventory/7'],
    ['getPet', 'production', 'GET', '/v1/pets/7'],
    ['sendMessage', 'staging', 'POST', '/quickstart/messages'],
  ] as const)('calls %s in %s with %s %s', (id, environment, method, path) => {
    const input = { ...nothing, parameters: { petId: '7' } }
    const request = toRequest(root, id, { ...access, environment }, input)
    expect(request).toMatchObject({ method, url: `${root}${path}` })
  })

  it('says what it prefers, and the type of a body only with one', () => {
    const input = { ...nothing, code: '404', wait: '1.5', body: '{}' }
    expect(toRequest(root, 'sendMessage', access, input).headers).toEqual({
      Authorization: 'Bearer sbx_free',
      'Content-Type': 'application/json',
      Prefer: 'code=404, wait=1.5',
    })
    expect(Object.keys(toRequest(root, 'listOrders', access, nothing).headers)).toEqual([
      'Authorization',
    ])
  })

  it('keeps a parameter within its segment of the path', () => {
    const input = { ...nothing, parameters: { petId: '../7?x#y' } }
    expect(toRequest(root, 'getPet', access, input).url).toBe(`${root}/v1/pets/..%2F7%3Fx%23y`)
  })

  it('knows each parameter of each path', () => {
    const found = operationIds.map((id) => parametersOf(operations[id]))
    expect(found).toEqual([[], ['petId'], ['petId'], [], []])
  })
})

describe('toCurl', () => {
  it('is one line that a shell reads back as it was meant', () => {
    const body = `{"message":"it's $HOME \\\\ \`x\` ünï"}`
    const request = toRequest(root, 'sendMessage', access, { ...nothing, body })
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
      '-d',
      body,
    ])
  })
})

describe('sendRequest', () => {
  const origin = 'https://api.petstore.example'

  it('shows status, headers and body of any answer', async () => {
    const { fetch } = await createSandbox()
    const input = { ...nothing, code: '429' }
    const outcome = await sendRequest(toRequest(origin, 'listInventory', access, input), fetch)
    expect(outcome.status).toBe(429)
    expect(JSON.parse(outcome.body)).toMatchObject({ code: 'rate_limit_exceeded' })
    expect(outcome.headers.map(([name]) => name)).toContain('retry-after')
  })

  it.each([
    ['reset', undefined, /before an answer/],
    ['truncate', 200, /in the middle of the body/],
  ] as const)('tells of a connection that a fault of type %s broke', async (type, status, why) => {
    const sandbox = await createSandbox({ scenario: { name: 'broken', faults: [{ type }] } })
    const request = toRequest(origin, 'listInventory', access, nothing)
    const outcome = await sendRequest(request, sandbox.fetch)
    expect(outcome.status).toBe(status)
    expect(outcome.failure).toMatch(why)
  })
})
