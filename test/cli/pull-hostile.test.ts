import { readFile } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { apiKey, pullTo, readPulled, serveReplies } from './pull-support.js'
import { run } from './support.js'
import { serveOther } from './world-support.js'

const html = '<!doctype html>\n<title>\u001b[31mSign in\u0007</title>'
const mebibyte = Buffer.alloc(1_048_576, ' ')

/** Responses to GET /inventory that a pull cannot use, and a part of the message. */
const responses: readonly (readonly [string, (response: ServerResponse) => void, string])[] = [
  [
    'HTML',
    (response) => response.setHeader('Content-Type', 'text/html').end(html),
    '200 with text/html',
  ],
  ['an empty body', (response) => response.end(), '200 with no content type'],
  ['no content', (response) => response.writeHead(204).end(), '204'],
  ['truncated JSON', (response) => response.end('[{"petId":1}'), '200 with no content type'],
  ['an object', (response) => response.end('{}'), 'not an array'],
  ['null', (response) => response.end('null'), 'not an array'],
  ['deep nesting', (response) => response.end('['.repeat(5_000_000)), 'more than 64 levels'],
  [
    'a long string that does not end',
    (response) => response.end(`["${'\\\\'.repeat(4_000_000)}`),
    '200 with',
  ],
  ['escape sequences', (response) => response.end('[\u001b]0;title\u0007'), '200 with'],
  [
    'bytes that are not UTF-8',
    (response) => response.end(Buffer.from([0x5b, 0xff, 0x5d])),
    'not UTF-8',
  ],
  ['a body that is too large', writeForever, 'the body is larger than 16 MiB'],
  [
    'a compressed body that is too large',
    (response) =>
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync(Buffer.alloc(20_000_000))),
    'the body is larger than 16 MiB',
  ],
  [
    'a body that is not compressed as stated',
    (response) => response.setHeader('Content-Encoding', 'gzip').end('[]'),
    'GET ',
  ],
  [
    'a body that never ends',
    (response) => response.write('['),
    'no complete response within 0.2 s',
  ],
  ['no response', () => {}, 'no complete response within 0.2 s'],
  ['a closed connection', (response) => response.destroy(), 'UND_ERR_SOCKET'],
  [
    'a body that breaks off',
    (response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('[')
      setImmediate(() => response.destroy())
    },
    'UND_ERR_SOCKET',
  ],
  [
    '401',
    (response) => response.writeHead(401).end(),
    '401; set the API key with --key or PETSTORE_API_KEY',
  ],
  ['403', (response) => response.writeHead(403).end(html), '403; --url must be the base URL'],
  ['404', (response) => response.writeHead(404).end(html), '404; --url must be the base URL'],
  ['500', (response) => response.writeHead(500).end(html), '500; try again later'],
  [
    'a redirect',
    (response) => response.writeHead(302, { Location: '/v2/inventory\u009b' }).end(),
    '302 to /v2/inventory\\u{9b}, which is not followed',
  ],
]

test.each(responses)('pull fails in one line with %s', async (_title, respond, reason) => {
  const url = await serveOther((_request, response) => respond(response))
  const { code, message, stdout, stderr, files } = await pullTo({
    url,
    timeoutMs: reason.includes('0.2 s') ? 200 : 20_000,
  })
  expect({ code, stdout, files }).toEqual({ code: 2, stdout: '', files: [] })
  expect(message).toContain(reason)
  expect(message).toContain(`${url}/inventory`)
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(message.length).toBeLessThan(500)
  expect(message + stderr).not.toContain(apiKey)
})

function writeForever(response: ServerResponse): void {
  while (!response.destroyed && response.write(mebibyte)) {}
  if (!response.destroyed) response.once('drain', () => writeForever(response))
}

/** Serves bytes that are not HTTP. */
async function serveBytes(bytes: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return `127.0.0.1:${port}`
}

test.each([
  ['bytes that are not HTTP', 'http', 'SSH-2.0-OpenSSH\u001b[31m\r\n', 'HPE_INVALID_CONSTANT'],
  [
    'a header that never ends',
    'http',
    `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(99_999)}`,
    'UND_ERR_HEADERS_OVERFLOW',
  ],
  ['a server without TLS', 'https', 'HTTP/1.1 200 OK\r\n\r\n', 'ERR_SSL_'],
])('pull fails in one line with %s', async (_title, protocol, bytes, reason) => {
  const url = `${protocol}://${await serveBytes(bytes)}/v1`
  const { code, message } = await pullTo({ url })
  expect(code).toBe(2)
  expect(message).toContain(reason)
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test('pull says that the key is sent without encryption, unless to this machine', async () => {
  // Fetch refuses the port, so that the test needs no network.
  const { stderr, message } = await pullTo({ url: 'http://shop.example:1/v1' })
  expect(stderr).toContain('the key is sent to http://shop.example:1/v1 without encryption\n')
  expect(message).toBe('GET http://shop.example:1/v1/inventory: bad port')
  const local = await pullTo({ url: 'http://127.0.0.1:1/v1' })
  expect(local.stderr).not.toContain('without encryption')
})

test('pull fails in one line if the connection is refused', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  await new Promise((resolve) => server.close(resolve))
  const { message } = await pullTo({ url: `http://127.0.0.1:${port}` })
  expect(message).toBe(`GET http://127.0.0.1:${port}/inventory: ECONNREFUSED`)
})

/** Serves a redirect of every request to another server, and lists the requests to that server. */
async function serveRedirect() {
  const received: string[] = []
  const accept: RequestListener = (request, response) => {
    received.push(request.headers.authorization ?? 'no key')
    response.end('[]')
  }
  const target = await serveOther(accept)
  const url = await serveOther((request, response) => {
    response.writeHead(307, { Location: `${target}${request.url}` }).end()
  })
  return { url, received }
}

test('pull does not follow a redirect to another host', async () => {
  const { url, received } = await serveRedirect()
  const { code } = await pullTo({ url })
  expect({ code, received }).toEqual({ code: 2, received: [] })
})

test('a client that follows redirects sends a request to the other host', async () => {
  const { url, received } = await serveRedirect()
  await fetch(`${url}/inventory`, { headers: { Authorization: `Bearer ${apiKey}` } })
  expect(received).toHaveLength(1)
})

test('pull requests only pets whose id is an int64', async () => {
  const ids = [
    '../admin',
    '1/../../x',
    '1?x',
    '%2e',
    '',
    1.5,
    1e30,
    null,
    {},
    '9223372036854775808',
    7,
  ]
  const { url, requests } = await serveReplies({
    '/inventory': { body: ids.map((petId) => ({ petId, quantity: 1, status: 'sold' })) },
    '/store/orders': { body: [] },
  })
  const { code } = await pullTo({ url })
  expect(code).toBe(0)
  expect(requests.map((each) => each.split(' ')[0])).toEqual([
    '/inventory',
    '/store/orders',
    '/pets/7',
  ])
})

test('pull leaves out the entries for which a scenario has no room, and says so', async () => {
  const body = `[${Array.from({ length: 20_001 }, () => '{"petId":"x"}').join()}]`
  const { url } = await serveReplies({
    '/inventory': { body },
    '/store/orders': { body: [] },
  })
  const { code, stdout, output } = await pullTo({ url })
  expect(code).toBe(0)
  expect(stdout).toContain('inventory: a scenario has at most 20000 entries, found 20001')
  expect(stdout.split('\n').length).toBeLessThan(120)
  await readPulled(output)
})

test.each<[string, unknown]>([
  [
    'a record with more values than a scenario allows',
    { list: Array.from({ length: 20_001 }, () => 1) },
  ],
  ['a record with a longer string than a scenario allows', { text: 'x'.repeat(1_100_000) }],
  ['a record that is nested too deeply', JSON.parse(`{"deep":${'['.repeat(63)}${']'.repeat(63)}}`)],
])('pull omits a field of %s, and says so', async (_title, others) => {
  const pet = { petId: 1, name: 'a', ...(others as object) }
  const { url } = await serveReplies({
    '/inventory': { body: [{ petId: 1, quantity: 1, status: 'sold' }] },
    '/store/orders': { body: [] },
    '/pets/1': { body: pet },
  })
  const { code, stdout, output } = await pullTo({ url })
  expect(code).toBe(0)
  expect(stdout).toMatch(/not the same: pets: the sandbox does not serve the field "\w+" \(1\)/)
  expect((await readPulled(output)).pets).toMatchObject([{ petId: 1, name: 'a' }])
})

test.each([
  [[], '--key is missing; set the API key with --key or PETSTORE_API_KEY'],
  [['--key', 'a b'], '--key must be printable ASCII characters without spaces'],
  [
    ['--key', 'secret-1', '--url', 'ftp://x'],
    '--url must be an http or https URL without a query, such as',
  ],
  [
    ['--key', 'secret-1', '--url', 'http://me:pw@x/v1'],
    '--url must be an http or https URL without a query, such as',
  ],
  [
    ['--key', 'secret-1', '--url', 'http://x/v1?key=1'],
    '--url must be an http or https URL without a query, such as',
  ],
  [['--key', 'secret-1'], '--url or --har is missing; see petstore-sandbox pull --help'],
  [['--key', 'secret-1', '--name', 'My Shop'], '--name must be a name in kebab-case'],
  [['--key', 'secret-1', '--max-wait', '1h'], '--max-wait must be whole seconds, found "1h"'],
  [['--key', 'secret-1', '--output', ''], '--output must be a string with a length of at least 1'],
])('pull %j is rejected with the reason', async (args, reason) => {
  const { code, stdout, stderr } = await run(['pull', ...args])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(reason)
  expect(stderr).not.toContain('secret-1')
  expect(stderr.trimEnd()).not.toContain('\n')
})

test('pull takes the key from PETSTORE_API_KEY, and writes to the file of --output', async () => {
  const { url, requests } = await serveReplies({
    '/inventory': { body: [] },
    '/store/orders': { body: [] },
  })
  const { output } = await pullTo({ url: 'http://127.0.0.1:1' })
  const args = ['pull', '--url', `${url}/`, '--name', 'my-shop', '--output', output]
  const env = { PETSTORE_API_KEY: 'from-the-environment' }
  const { code, stderr } = await run(args, env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('needs 2 requests') })
  expect(requests[0]).toBe('/inventory Bearer from-the-environment')
  expect(JSON.parse(await readFile(output, 'utf8'))).toMatchObject({ name: 'my-shop' })
})

test('pull exits with 2 if the service cannot be reached', async () => {
  const args = ['pull', '--url', 'http://127.0.0.1:1/v1', '--key', 'secret-1']
  const output = (await pullTo({ url: 'http://127.0.0.1:1' })).output
  const { code, stderr } = await run([...args, '--output', output])
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /^GET .*\npetstore-sandbox: GET http:\/\/127\.0\.0\.1:1\/v1\/inventory: bad port\n$/,
  )
})
