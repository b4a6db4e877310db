import { expect, test } from 'vitest'
import { authorization, openServer, toRequest } from './support/open-server.js'

const list = toRequest('GET /v1/inventory', [authorization])

test('a reset closes the connection without a response', async () => {
  const scenario = {
    name: 'broken',
    extends: ['default'],
    faults: [{ type: 'reset', atMost: 1 } as const],
  }
  const { connect, expectUnharmed } = await openServer({ scenario })
  const client = connect().send(list)
  await client.closed()
  expect(client.rest).toBe('')
  await expectUnharmed()
})

test.each([0, 0.5, 0.99])(
  'truncate with the share %s sends that share of the body',
  async (share) => {
    const scenario = {
      name: 'cut',
      extends: ['default'],
      faults: [{ type: 'truncate', share, atMost: 1 } as const],
    }
    const { connect, expectUnharmed } = await openServer({ scenario })
    const client = connect().send(list)
    await client.closed()
    const [head = '', body = ''] = client.rest.split('\r\n\r\n')
    const length = Number(/Content-Length: (\d+)/.exec(head)?.[1])
    expect(head).toContain('200 OK')
    expect(body.length).toBe(Math.floor(length * share))
    await expectUnharmed()
  },
)

test('truncate does not affect a response to HEAD', async () => {
  const scenario = {
    name: 'cut',
    extends: ['default'],
    faults: [{ type: 'truncate', share: 0.5, atMost: 1 } as const],
  }
  const { send } = await openServer({ scenario })
  const request = toRequest('HEAD /v1/inventory', [authorization])
  expect(await send(request, 'HEAD')).toMatchObject({ status: 200 })
})
