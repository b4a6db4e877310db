import { describe, expect, test } from 'vitest'
import type { SandboxServerOptions } from '../../../src/server.js'
import { authorization, expectProblem, openServer, toRequest } from './support/open-server.js'

/** Options of a server behind one proxy, which is reached by any name. */
const proxied: SandboxServerOptions = { limits: { trustedProxies: 1 }, allowedHosts: true }

const forwarded = [
  'X-Forwarded-Proto: https',
  'X-Forwarded-Host: shop.example:8443',
  'X-Forwarded-Prefix: /petstore/',
]

/** Requests both documents and the deprecated operation, and returns every URL in the responses. */
async function readUrls(options: SandboxServerOptions, headers: readonly string[] = []) {
  const { send, port } = await openServer(options)
  const get = async (path: string) =>
    send(toRequest(`GET ${path}`, headers).replace('Host: localhost', `Host: localhost:${port}`))
  const service = JSON.parse((await get('/openapi.json')).text)
  const control = JSON.parse((await get('/openapi.sandbox.json')).text)
  const pet = await send(toRequest('GET /v1/pets/7', [...headers, authorization]))
  return {
    port,
    servers: service.servers.map(({ url }: { url: string }) => url),
    quickstart: service.paths['/messages'].servers[0].url,
    control: control.servers.map(({ url }: { url: string }) => url),
    link: pet.headers.get('link'),
  }
}

function toUrls(root: string) {
  return {
    servers: [`${root}/v1`, `${root}/staging/v1`],
    quickstart: `${root}/quickstart`,
    control: [root, `${root}/staging`],
    link: `<${root}/#getPet>; rel="deprecation"; type="text/html"`,
  }
}

test.each<[string, SandboxServerOptions, readonly string[], string]>([
  [
    'publicUrl',
    { publicUrl: 'https://Shop.example:443/petstore/' },
    [],
    'https://shop.example/petstore',
  ],
  [
    'publicUrl rather than forwarded headers',
    { ...proxied, publicUrl: 'https://a.example' },
    forwarded,
    'https://a.example',
  ],
  ['forwarded headers', proxied, forwarded, 'https://shop.example:8443/petstore'],
  ['a forwarded host', proxied, ['X-Forwarded-Host: [2001:db8::7]'], 'http://[2001:db8::7]'],
  [
    'the value of the outermost trusted proxy',
    { ...proxied, limits: { trustedProxies: 2 } },
    [
      'X-Forwarded-Host: evil.example, shop.example, 10.0.0.1',
      'X-Forwarded-Proto: gopher, HTTPS, http',
    ],
    'https://shop.example',
  ],
])('documents and Link headers have the URL of %s', async (_, options, headers, root) => {
  expect(await readUrls(options, headers)).toMatchObject(toUrls(root))
})

test('a forwarded protocol or prefix applies to the Host of the request', async () => {
  const headers = ['X-Forwarded-Proto: https', 'X-Forwarded-Prefix: /petstore']
  const { port, servers } = await readUrls(proxied, headers)
  expect(servers[0]).toBe(`https://localhost:${port}/petstore/v1`)
})

test.each([
  ['without headers of a proxy', proxied, []],
  ['without a trusted proxy', { allowedHosts: true }, forwarded],
] as const)('documents have the Host of the request %s', async (_, options, headers) => {
  const { port, link, ...urls } = await readUrls(options, headers)
  const { link: _link, ...expected } = toUrls(`http://localhost:${port}`)
  expect(urls).toEqual(expected)
  expect(link).toBe('</#getPet>; rel="deprecation"; type="text/html"')
})

test('a document requested without a Host has the port of the server', async () => {
  const { send, port } = await openServer()
  const { text } = await send('GET /openapi.json HTTP/1.0\r\n\r\n')
  expect(JSON.parse(text).servers[0].url).toBe(`http://localhost:${port}/v1`)
})

test('a Link that is a URL stays the same', async () => {
  const scenario = { name: 'linked', deprecation: { link: 'https://docs.example/pets' } }
  const { send } = await openServer({ scenario, publicUrl: 'https://shop.example' })
  const { headers } = await send(toRequest('GET /v1/pets/7', [authorization]))
  expect(headers.get('link')).toContain('<https://docs.example/pets>')
})

describe('a forwarded header', () => {
  test.each([
    ['X-Forwarded-Proto: javascript', 'http or https'],
    ['X-Forwarded-Host: a"><script>', 'one host with an optional port'],
    ['X-Forwarded-Prefix: //evil.example', 'a path that begins with a slash'],
    ['X-Forwarded-Prefix: /a/../b', 'a path that begins with a slash'],
    ['X-Forwarded-Prefix: /a>; rel="x"', 'a path that begins with a slash'],
    [`X-Forwarded-Prefix: /${'a'.repeat(300)}`, 'a path that begins with a slash'],
  ])('that is malformed is rejected: %s', async (header, wanted) => {
    const { send } = await openServer(proxied)
    const response = await send(toRequest('GET /openapi.json', [header]))
    expectProblem(response, 400, 'malformed_request')
    expect(JSON.parse(response.text).message).toContain(wanted)
  })

  test('must name an allowed host', async () => {
    const options = { ...proxied, allowedHosts: ['shop.example'] }
    const { send } = await openServer(options)
    const get = (host: string) =>
      send(toRequest('GET /openapi.json', [`X-Forwarded-Host: ${host}`]))
    expect(await get('shop.example:8443')).toMatchObject({ status: 200 })
    const rejected = await get('evil.example')
    expectProblem(rejected, 421, 'host_not_allowed')
    expect(JSON.parse(rejected.text).message).toContain('the X-Forwarded-Host header')
  })

  test('is validated again when it changes on a connection', async () => {
    const { connect } = await openServer(proxied)
    const client = connect()
    const get = (host: string) =>
      client.send(toRequest('GET /openapi.json', [`X-Forwarded-Host: ${host}`])).response()
    expect((await get('a.example')).text).toContain('"http://a.example/v1"')
    expect((await get('b.example')).text).toContain('"http://b.example/v1"')
    expect(await get('a"><script>')).toMatchObject({ status: 400 })
  })
})
