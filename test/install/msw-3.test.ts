import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Consumer } from '../package/consumer.js'
import { newerNode } from '../support/newer-node.js'

describe('with msw 3 on a newer Node.js', () => {
  let consumer: Consumer
  beforeAll(async () => {
    consumer = await Consumer.create(['msw@3.0.5', `${newerNode}@22`])
  })
  afterAll(() => consumer?.remove())

  test('the handlers respond with operations, errors and faults', async () => {
    const output = await consumer.runModule(code, `node_modules/${newerNode}/bin/node`)
    expect(output.trim().split('\n')).toEqual([
      'msw 3.0.5',
      '200 remaining 59',
      '200 remaining 58 {"petId":1,"quantity":5,"status":"available"}',
      '200 remaining 57',
      '200 remaining 56',
      '200 remaining 55',
      '401 remaining 60 missing_api_key',
      '404 remaining 55 route_not_found',
      '200 remaining',
      'failed',
      'cut off',
      '429 remaining 0 rate_limit_exceeded',
    ])
  })
})

const code = `
import { readFileSync } from 'node:fs'
import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox'

const { version } = JSON.parse(readFileSync('node_modules/msw/package.json', 'utf8'))
console.log('msw', version)

const sandbox = await createSandbox()
const server = setupServer(...sandbox.handlers)
server.listen()
const api = 'https://api.petstore.example/v1'
const key = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

async function send(url, init) {
  const response = await fetch(url, { headers: key, ...init }).catch(() => undefined)
  const text = await response?.text().catch(() => undefined)
  if (!response) return console.log('failed')
  if (text === undefined) return console.log('cut off')
  const { code, quantity } = JSON.parse(text)
  const remaining = response.headers.get('X-RateLimit-Remaining')
  const shown = quantity === undefined ? (code ?? '') : text
  console.log([response.status, 'remaining', remaining, shown].join(' ').trim())
}

await send(api + '/inventory')
await send(api + '/inventory/1', { method: 'PATCH', body: '{"quantity":5}' })
await send(api + '/pets/1')
await send(api + '/store/orders')
await send('https://quickstart.petstore.example/messages', {
  method: 'POST',
  body: '{"message":"hi"}',
})
await send(api + '/inventory', { headers: {} })
await send(api + '/nope')
await send('https://api.petstore.example/sandbox')
sandbox.world.faults.set([{ type: 'reset', atMost: 1 }])
await send(api + '/inventory')
sandbox.world.faults.set([{ type: 'truncate', atMost: 1 }])
await send(api + '/inventory')
await sandbox.use('rate-limited')
await send(api + '/inventory')
server.close()
process.exit(0)
`
