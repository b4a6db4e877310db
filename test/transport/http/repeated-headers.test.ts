import { expect, test } from 'vitest'
import { expectProblem, openServer, toRequest } from './support/open-server.js'

const toHeaders = (...lines: string[]) => ['Authorization: Bearer sbx_free', ...lines]

test('each entry of a connection that repeats its headers has the same headers', async () => {
  const { connect, world } = await openServer()
  const client = connect()
  const request = toRequest('GET /v1/inventory', toHeaders('User-Agent: shop/1', 'Cookie: a=b'))
  for (let count = 0; count < 5; count++) await client.send(request).response()
  const headers = world.requests.find().map(({ requestHeaders }) => requestHeaders)
  expect(headers).toEqual(
    Array(5).fill(['authorization', 'Bearer sbx_free…', 'user-agent', 'shop/1']),
  )
})

test('an entry has the headers of its own request after others of the same length', async () => {
  const { connect, server } = await openServer()
  const client = connect()
  const sent: string[] = []
  for (const label of ['a', 'a', 'a', 'b', 'b', 'b', 'a']) {
    for (const agent of ['shop/1', 'shop/2', 'shop/2', 'shop/2']) {
      const headers = [`Authorization: Bearer sbx_pro_default_${label}`, `User-Agent: ${agent}`]
      expect(await client.send(toRequest('GET /v1/inventory', headers)).response()).toMatchObject({
        status: 200,
      })
      sent.push(`${label} ${agent}`)
    }
  }
  for (const label of ['a', 'b']) {
    const world = await server.sandbox.worldFor(`sbx_pro_default_${label}`)
    const agents = world.requests
      .find()
      .map(({ requestHeaders }) => requestHeaders[requestHeaders.indexOf('user-agent') + 1])
    expect(agents).toEqual(
      sent.filter((line) => line.startsWith(label)).map((line) => line.split(' ')[1]),
    )
  }
})

test('no entry has more headers than its world retains, however often they are repeated', async () => {
  const { connect, server } = await openServer()
  const client = connect()
  const send = (key: string) => {
    const headers = [`Authorization: Bearer ${key}`, 'X-Trace: 1', 'Cookie: session=secret']
    return client.send(toRequest('GET /v1/inventory', headers)).response()
  }
  // Both masked keys are "sbx_pro_defa…", but only the journal of a labelled world has all headers.
  for (let count = 0; count < 9; count++)
    await send(count % 2 ? 'sbx_pro_default' : 'sbx_pro_default_x')
  const shared = (await server.sandbox.worldFor('sbx_pro_default')).requests.find()
  const labelled = (await server.sandbox.worldFor('sbx_pro_default_x')).requests.find()
  expect([shared.length, labelled.length]).toEqual([4, 5])
  for (const { requestHeaders } of shared) expect(requestHeaders).not.toContain('x-trace')
  for (const { requestHeaders } of labelled) expect(requestHeaders).toContain('x-trace')
  expect(JSON.stringify([shared, labelled])).not.toContain('secret')
})

test('each request is for its own target after others with the same headers', async () => {
  const { connect, server } = await openServer()
  const client = connect()
  const long = 'x'.repeat(300)
  const targets: readonly (readonly [target: string, status: number, recorded?: string])[] = [
    ['/v1/inventory', 200, '/inventory?'],
    ['/v1/inventory?page=2', 200, '/inventory?page=2'],
    [`/v1/inventory?${long}`, 200, `/inventory?${long}`],
    ['/v1/inventory#part', 200, '/inventory?'],
    ['/v1/pets/2', 200, '/pets/2?'],
    ['/v1/pets/999', 404, '/pets/999?'],
    ['/v1/nothing', 404, '/nothing?'],
    ['//v1/inventory', 400],
    ['/healthz', 200],
  ]
  const twice = targets.flatMap((target) => [target, target])
  for (const [target, status] of [...twice, ...twice]) {
    const request = toRequest(`GET ${target}`, ['Authorization: Bearer sbx_free_default_a'])
    expect([target, (await client.send(request).response()).status]).toEqual([target, status])
  }
  const world = await server.sandbox.worldFor('sbx_free_default_a')
  const found = world.requests.find().map(({ path, query }) => `${path}?${query}`)
  const recorded = twice.flatMap(([, , path]) => path ?? [])
  expect(found).toEqual([...recorded, ...recorded])
})

test('a repeated failure is recognized by its target, not by its headers', async () => {
  const { connect, server } = await openServer()
  const client = connect()
  const send = (id: number) => {
    const headers = ['Authorization: Bearer sbx_free_default_a']
    return client.send(toRequest(`GET /v1/pets/${id}`, headers)).response()
  }
  const world = await server.sandbox.worldFor('sbx_free_default_a')
  const countRepeated = async () => {
    const { conduct } = await world.report()
    return conduct.find(({ id }) => id === 'no-repeat')?.violations
  }
  for (const id of [991, 992, 993, 994, 995]) await send(id)
  expect(await countRepeated()).toBe(0)
  await send(995)
  expect(await countRepeated()).toBe(1)
})

test('invalid headers are rejected each time, also after valid ones', async () => {
  const { connect } = await openServer()
  const client = connect()
  const evil = toRequest('GET /v1/inventory', toHeaders()).replace('localhost', 'evil.test')
  for (let count = 0; count < 4; count++) {
    expectProblem(await client.send(evil).response(), 421, 'host_not_allowed')
  }
  const keepAlive = 'Connection: keep-alive'
  const withoutHost = toRequest('GET /v1/inventory', toHeaders(keepAlive)).replace(
    /Host: .*\r\n/,
    '',
  )
  const old = withoutHost.replace('HTTP/1.1', 'HTTP/1.0')
  for (let count = 0; count < 4; count++) {
    expect((await client.send(old).response()).status).toBe(200)
  }
  expectProblem(await client.send(withoutHost).response(), 400, 'malformed_request')
})
