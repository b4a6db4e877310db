import type { RequestRow } from '../../support/http-client.js'
import { openServer } from '../exchange.js'
import { toReadable } from '../readable.js'
import type { Subject } from '../subject.js'

const key = 'sbx_free_default_metrics'

const requests: readonly RequestRow[] = [
  ['GET /v1/inventory', { key }],
  ['GET /v1/inventory', { key }],
  ['HEAD /v1/inventory', { key }],
  ['PATCH /v1/inventory/1', { key, json: { quantity: 5 } }],
  ['PATCH /v1/inventory/1', { key, json: { quantity: -5 } }],
  ['GET /v1/pets/404', { key }],
  ['POST /quickstart/messages', { key, json: { message: 'Hello' } }],
  ['GET /staging/v1/inventory', { key: 'sbx_pro' }],
  ['GET /v1/inventory', { key: 'sbx_gold' }],
  ['PROPFIND /v1/inventory', { key }],
  ['GET /v1/inventry', { key }],
  ['GET /nothing', { key }],
  ['GET /healthz'],
  ['GET /openapi.json'],
  ['POST /sandbox/faults', { key, json: { type: 'reset', atMost: 1 } }],
  ['GET /v1/store/orders', { key }],
  ['PATCH /sandbox/quota', { key, json: { minute: { remaining: 0 } } }],
  ['GET /v1/store/orders', { key }],
  ['GET /sandbox/nothing', { key }],
  ['GET /sandbox', { key: 'sbx_gold' }],
]

export const metrics: Subject = {
  name: 'metrics',
  async produce() {
    const { send } = await openServer({ maxWorlds: 3 })
    for (const row of requests) await send(...row)
    const page = await send('GET /metrics')
    const [head, post] = [await send('HEAD /metrics'), await send('POST /metrics')]
    return {
      type: page?.headers.get('Content-Type'),
      // Which samples the process has depends on the system and on Node's version.
      page: page?.text.split('\n').filter((line) => !/^(?:process|nodejs)_/.test(line)),
      statusOfHead: head?.status,
      post: post && { status: post.status, body: toReadable(post.text) },
    }
  },
}
