import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { serve } from '../support/server.js'
import { createDirectory, type Outcome, run } from './support.js'
import { serveWorld } from './world-support.js'

const tlsDirectory = join(import.meta.dirname, '../transport/http/support/tls')
const secret = 'sbx_pro_default_very-secret-label'
const env = { PETSTORE_API_KEY: secret }

/** The commands that send requests to a deployment. */
const commands = ['verify', 'pull'] as const
type Command = (typeof commands)[number]

/** Runs a command against a base URL, with the key in a variable. */
async function runAt(command: Command, url: string, ...args: readonly string[]): Promise<Outcome> {
  return runWith(command, '--url', `${url}/v1`, '--timeout', '20', ...args)
}

async function runWith(command: Command, ...options: readonly string[]): Promise<Outcome> {
  if (command === 'verify') return run([command, ...options], env)
  const directory = await createDirectory({})
  return run([command, ...options, '--output', join(directory, 'pulled.json')], env)
}

/** The stderr may have lines about the progress before the line of the failure. */
function expectOneLine({ code, stdout, stderr }: Outcome, reason: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  const lines = stderr
    .split('\n')
    .filter((line) => !/^($|note: |GET .+: 1 request, to )/.test(line))
  expect(lines).toEqual([expect.stringMatching(/^petstore-sandbox: /)])
  expect(lines[0]).toMatch(reason)
  expect(lines[0]?.length).toBeLessThan(500)
  expect(stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]|secret|a bug in the sandbox/u)
}

const json = { 'Content-Type': 'application/json' }
/** What both commands say of the first response if it has no list. */
const noList =
  /GET \S+\/inventory: (status )?200\b.*; --url must be the base URL of the API, such as /

const bodies = [
  ['an empty body', ''],
  ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
  ['a string of 16 MB that does not end', `["${'\\\\'.repeat(8_000_000)}`],
  ['a body that repeats the key', `"Bearer ${secret}`],
  ['escape sequences', '[\u001b]0;title\u0007\u009b31m\u202e'],
] as const

const responses: readonly (readonly [string, (response: ServerResponse) => void, RegExp])[] = [
  [
    'bytes that are not UTF-8',
    (response) => response.end(Buffer.from([0x5b, 0xff, 0x5d])),
    /the body is not UTF-8/,
  ],
  ['an endless body', writeForever, /the body is larger than 16 MiB/],
  [
    'a compressed body',
    (response) =>
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync(Buffer.alloc(20_000_000))),
    /the body must have no content coding, found gzip/,
  ],
  [
    'a redirect',
    (response) => response.writeHead(301, { Location: `/v2\u009b?${secret}` }).end(),
    /30\d to \/v2\\u\{9b\}\?sbx_pro_defa…, which is not followed/,
  ],
  ['401', (response) => response.writeHead(401, json).end('{}'), /\b401\b/],
  ['500', (response) => response.writeHead(500).end('\u001b[31m'), /\b500\b/],
  ['a closed connection', (response) => response.destroy(), /: ECONNRESET$/],
  [
    'a body that is cut off',
    (response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('[')
      setImmediate(() => response.destroy())
    },
    /: (ECONNRESET|aborted)$/,
  ],
  ['large headers', (response) => writeHeaders(response, 60, 4_000), /: HPE_HEADER_OVERFLOW$/],
  ['3,000 headers', (response) => writeHeaders(response, 3_000, 1), noList],
]

const protocols: readonly (readonly [string, string, string, RegExp])[] = [
  ['bytes that are not HTTP', 'http', 'SSH-2.0-OpenSSH\u001b[31m\r\n', /: HPE_INVALID_CONSTANT$/],
  [
    'a header that does not end',
    'http',
    `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(99_999)}`,
    /: HPE_HEADER_OVERFLOW$/,
  ],
  ['a server without TLS', 'https', 'HTTP/1.1 200 OK\r\n\r\n', /: (ERR_SSL_\w+|EPROTO)$/],
]

describe.each(commands)('%s exits with 2 and one line for', (command) => {
  test.each(bodies)('%s', async (_title, body) => {
    const url = await serve((_request, response) => response.writeHead(200, json).end(body))
    expectOneLine(await runAt(command, url), noList)
  })

  test.each(responses)('%s', async (_title, respond, reason) => {
    const url = await serve((_request, response) => respond(response))
    expectOneLine(await runAt(command, url), reason)
  })

  test.each([
    ['no response', () => {}],
    ['a body that does not end', (response: ServerResponse) => void response.write('[')],
  ])('%s', async (_title, respond) => {
    const url = await serve((_request, response) => respond(response))
    const outcome = await runAt(command, url, '--timeout', '1')
    expectOneLine(outcome, /: no complete response within 1 s$/)
  })

  test.each(protocols)('%s', async (_title, protocol, bytes, reason) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(bytes)
    })
    expectOneLine(await runAt(command, `${protocol}://${await listen(server)}`), reason)
  })

  test('a refused connection', async () => {
    const server = createServer()
    const address = await listen(server)
    await promisify(server.close.bind(server))()
    expectOneLine(
      await runAt(command, `http://${address}`),
      /\/v1\/inventory: ECONNREFUSED; check --url, and that the service runs$/,
    )
  })

  test('an unknown host, to which the key would be sent without encryption', async () => {
    const outcome = await runAt(command, 'http://host.invalid')
    expectOneLine(outcome, /\/v1\/inventory: (ENOTFOUND|EAI_AGAIN); check --url, /)
    expect(outcome.stderr).toContain(
      'note: the key is sent to http://host.invalid/v1 without encryption\n',
    )
  })

  test('a self-signed certificate', async () => {
    const read = (file: string) => readFile(join(tlsDirectory, file))
    const [key, cert] = [await read('key.pem'), await read('cert.pem')]
    const server = createHttpsServer({ key, cert }, (_request, response) => response.end('[]'))
    const outcome = await runAt(command, `https://${await listen(server)}`)
    expectOneLine(outcome, /\/v1\/inventory: DEPTH_ZERO_SELF_SIGNED_CERT$/)
  })
})

test.each(commands)('%s sends nothing to the host to which it is redirected', async (command) => {
  const { url, received } = await serveRedirect()
  const { code } = await runAt(command, url)
  expect({ code, received }).toEqual({ code: 2, received: [] })
})

describe.each(commands)('%s without the version in --url', (command) => {
  test('exits with 2, and names the URL that responds', async () => {
    const { url } = await serveWorld()
    const { code, stdout, stderr } = await runWith(command, '--url', url)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    const found = `GET ${url}/inventory: (status )?404\\b.*`
    const step = `--url must be the base URL of the API, such as \\S+; try --url ${url}/v1, where GET /inventory responds with 200`
    expect(stderr).toMatch(new RegExp(`^petstore-sandbox: ${found}; ${step}$`, 'm'))
  })

  test('suggests no URL if the other one does not respond like the service', async () => {
    const paths: string[] = []
    const url = await serve((request, response) => {
      paths.push(request.url ?? '')
      const isPage = request.url === '/v1/inventory'
      response.writeHead(isPage ? 200 : 404, { 'Content-Type': 'text/html' }).end('<p>')
    })
    const { code, stderr } = await runWith(command, '--url', url)
    expect(code).toBe(2)
    expect(stderr).toMatch(/; --url must be the base URL of the API, such as \S+\/v1\n$/)
    expect(paths).toEqual(['/inventory', '/v1/inventory'])
  })
})

test('a client that follows redirects sends a request to the other host', async () => {
  const { url, received } = await serveRedirect()
  await fetch(`${url}/v1/inventory`)
  expect(received).toEqual(['/v1/inventory'])
})

/** Serves a redirect of every request to another server, and lists the requests to that server. */
async function serveRedirect() {
  const received: string[] = []
  const target = await serve(({ url = '' }, response) => {
    received.push(url)
    response.end('[]')
  })
  const url = await serve((request, response) => {
    response.writeHead(307, { Location: `${target}${request.url}` }).end()
  })
  return { url, received }
}

function writeForever(response: ServerResponse): void {
  const chunk = Buffer.alloc(2 ** 20, ' ')
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.writeHead(200).on('drain', write)
  write()
}

function writeHeaders(response: ServerResponse, count: number, length: number): void {
  for (let at = 0; at < count; at++) response.setHeader(`X-${at}`, 'x'.repeat(length))
  response.end()
}

/** Listens until the test ends. Returns the host with the port. */
async function listen(server: Server): Promise<string> {
  return new URL(await serve(server)).host
}
