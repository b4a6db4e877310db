import { inParallel } from '../client.js'
import { addresses, defineTrial } from '../trial.js'

const hosts = [
  'evil.example',
  'evil.example:4010',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'a.localhost.evil.example:80',
  'rebind.network',
  '127.0.0.1.nip.io',
  'xn--localhost-.example',
]
const paths = [
  '/v1/inventory',
  '/sandbox',
  '/sandbox/requests',
  '/sandbox/snapshot',
  '/',
  '/openapi.json',
]

export const hostHeaders = defineTrial({
  name: 'host-headers',
  title:
    'A page reaches the server through a name of its own that resolves to 127.0.0.1 (DNS rebinding).',
  unit: 'requests',
  attempts: { small: 108, full: 10_000 },
  async run(context) {
    const client = context.client(addresses.attacker, 'sbx_free')
    let answered = 0
    await inParallel(context.attempts, 10, context.ending, async (index) => {
      const host = hosts[index % hosts.length] ?? ''
      const path = paths[Math.floor(index / hosts.length) % paths.length] ?? ''
      const change = { method: 'PATCH', path: '/v1/inventory/1', body: { quantity: 1 } }
      const sent = index % 2 === 0 ? { path } : change
      const { status } = await client.send({ ...sent, headers: { Host: host } })
      context.count()
      if (status === 421) return
      answered += 1
      context.violation(`${status} for the host ${host} at ${sent.path}`)
    })
    context.note(`${answered} requests with another host were not rejected with 421.`)
  },
})
