import { expect, test } from 'vitest'
import { rehearsals } from '../../src/cli/mcp/report.js'
import { openAgent } from './support.js'

type World = Record<string, unknown>

const petPath = (id: string) => `/v1/pets/${id}`

/** Sends one request after the other, and ignores lost responses. */
async function send({ apiKey, baseUrl }: World, path: string, times: number, wait: () => unknown) {
  for (let sent = 0; sent < times; sent += 1) {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ recipient: 'a@example.com', content: 'text' })
    const init = path.endsWith('/messages') ? { method: 'POST', headers, body } : { headers }
    const response = await fetch(new URL(path, String(baseUrl)), init).catch(() => undefined)
    await response?.text()
    await wait()
  }
}

/** The path and the number of requests, after the call for a rule. Default: two of the inventory. */
const clients: Readonly<Record<string, readonly [path: string, times: number]>> = {
  'back-off': ['/v1/inventory', 5],
  'message-once': ['/quickstart/messages', 2],
  'int64-exact': [petPath('9223372036854775807'), 1],
  'no-repeat': [petPath('7'), 2],
}

test.each([...rehearsals])('the rule %s is seen after %s', async (rule, command) => {
  const { call } = await openAgent()
  const { data: world } = await call('new_world')
  const [tool = '', json = ''] = command.split(/ (.*)/)
  const { unseen } = (await call('report')).data
  expect(unseen).toContain(rule)
  expect((await call(tool, JSON.parse(json))).isError).toBe(false)
  const [path, times] = clients[rule] ?? ['/v1/inventory', 3]
  await send(world, path, times, () => call('move_clock', { advance: 1_000 }))
  await call('move_clock', { advance: 60_000 })
  const { data, text } = await call('report')
  expect(data.unseen).not.toContain(rule)
  expect(text).toContain('To rehearse')
})
