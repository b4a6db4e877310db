import { chromium } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chromiumArguments, findChromium } from '../browser/support/chromium.js'
import { type Program, startProgram } from '../support/program.js'
import { openServer } from '../support/server.js'
import { type Nginx, startNginx, testConfiguration } from './support/nginx.js'
import { requireProgram, runFile, startSandbox } from './support/programs.js'

const cli = 'dist/cjs/cli.js'

/** Starts the built package behind nginx. The three replicas are one process, because no store is shared. */
async function open() {
  const { listening } = await startSandbox({
    command: [
      ...[process.execPath, cli, 'serve', '--port', '0'],
      ...['--trust-proxy', '1', '--allowed-hosts', 'sandbox.example'],
    ],
  })
  const { host } = new URL(listening)
  const nginx = await startNginx({ replicas: [host, host, host] })
  return { direct: listening, nginx, url: `https://sandbox.example:${nginx.port}/petstore` }
}

/** Returns options of curl that lead sandbox.example to nginx, and print the headers. */
const toOptions = ({ port, certificate }: Nginx) => [
  ...['--silent', '--show-error', '--include', '--max-time', '20', '--path-as-is'],
  ...['--cacert', certificate, '--resolve', `sandbox.example:${port}:127.0.0.1`],
]

/** Sends a request with curl. Resolves to the status, headers and body. */
async function curl(nginx: Nginx, ...args: readonly string[]) {
  const { stdout } = await runFile('curl', [...toOptions(nginx), ...args])
  const at = stdout.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = stdout.slice(0, at).split('\r\n')
  const headers = lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]) // name and value
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Headers(headers),
    body: stdout.slice(at + 4),
  }
}

const key = ['--header', 'Authorization: Bearer sbx_free']

beforeAll(() => requireProgram('curl'))

test('nginx accepts deploy/nginx.conf', async () => {
  const replicas = ['127.0.0.1:4011', '127.0.0.1:4012', '127.0.0.1:4013']
  const output = await testConfiguration({ replicas })
  expect(output).toContain('test is successful')
  expect(output).not.toContain('[warn]')
})

describe('behind nginx with TLS and a path prefix', () => {
  test('requests reach the service, with its Date and Link headers', async () => {
    const { nginx, url } = await open()
    const inventory = await curl(nginx, ...key, `${url}/v1/inventory`)
    expect(inventory.status).toBe(200)
    expect(JSON.parse(inventory.body)).toHaveLength(12)
    const pet = await curl(nginx, ...key, `${url}/v1/pets/7`)
    expect(pet.headers.get('link')).toBe(`<${url}/#getPet>; rel="deprecation"; type="text/html"`)
    const redirect = await curl(nginx, url)
    expect(redirect.status).toBe(301)
    expect(redirect.headers.get('location')).toBe('/petstore/')
    const clock = ['--header', 'Content-Type: application/json', '--request', 'PATCH', '--data']
    const change = '{"now":"2030-01-01T00:00:00Z","frozen":true}'
    await curl(nginx, ...key, ...clock, change, `${url}/sandbox/clock`)
    const later = await curl(nginx, ...key, `${url}/v1/inventory`)
    expect(later.headers.get('date')).toBe('Tue, 01 Jan 2030 00:00:00 GMT')
  })

  test('the OpenAPI documents have the public URL, which a client cannot choose', async () => {
    const { nginx, url } = await open()
    const service = JSON.parse((await curl(nginx, `${url}/openapi.json`)).body)
    expect(service.servers.map((server: { url: string }) => server.url)).toEqual([
      `${url}/v1`,
      `${url}/staging/v1`,
    ])
    for (const base of service.servers) {
      expect(await curl(nginx, ...key, `${base.url}/inventory`)).toMatchObject({ status: 200 })
    }
    const control = JSON.parse((await curl(nginx, `${url}/openapi.sandbox.json`)).body)
    expect(control.servers[0].url).toBe(url)
    const forged = ['Host: a"b', 'Proto: gopher', 'Prefix: //evil.example', 'For: 192.0.2.1']
    const headers = forged.flatMap((header) => ['--header', `X-Forwarded-${header}`])
    const { body } = await curl(nginx, ...headers, `${url}/openapi.json`)
    expect(JSON.parse(body)).toEqual(service)
  })

  test('the path reaches the sandbox as the client sent it', async () => {
    const { nginx, url, direct } = await open()
    for (const path of [
      '/v1/pets/%37',
      '/v1/pets/7%2F8',
      '/v1/pets//7',
      '/v1/inventory/?a=b%20c',
    ]) {
      const through = await curl(nginx, ...key, `${url}${path}`)
      const headers = { Authorization: 'Bearer sbx_free' }
      const response = await fetch(`${direct}${path}`, { headers })
      expect(through).toMatchObject({ status: response.status, body: await response.text() })
    }
  })

  test('metrics are not public', async () => {
    const { nginx, url, direct } = await open()
    expect(await curl(nginx, `${url}/metrics`)).toMatchObject({ status: 403 })
    expect(await curl(nginx, `${url}/%6detrics`)).toMatchObject({ status: 403 })
    expect(await curl(nginx, `${url}/v1/../metrics`)).toMatchObject({ status: 403 })
    expect((await fetch(`${direct}/metrics`)).status).toBe(200)
  })

  test('the console loads, shows requests at once, and prints curl commands that work', async () => {
    const { nginx, url } = await open()
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: [...chromiumArguments, '--host-resolver-rules=MAP sandbox.example 127.0.0.1'],
    })
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ ignoreHTTPSErrors: true })
    await page.goto(`${url}/#key=sbx_free_default_console`)
    await page.locator('.mark.live').waitFor()
    const shown = await page.locator('.first pre').textContent()
    const words = [...(shown ?? '').matchAll(/'([^']*)'/g)].map(([, word = '']) => word)
    expect(words[0]).toBe(`${url}/v1/inventory`)
    const [address = '', ...headers] = words
    const sent = await curl(nginx, ...headers.flatMap((header) => ['--header', header]), address)
    expect(sent.status).toBe(200)
    await page.locator('.entries summary', { hasText: 'GET /inventory' }).waitFor()
    expect(page.url()).toBe(`${url}/`)
  })
})

/** Reads the event stream of a world with curl. Resolves when its headers have arrived. */
async function openStream(nginx: Nginx): Promise<Program> {
  const url = `https://sandbox.example:${nginx.port}/petstore/sandbox/events`
  const stream = startProgram(['curl', ...toOptions(nginx), '--no-buffer', ...key, url])
  onTestFinished(() => stream.end())
  await stream.read(/text\/event-stream/)
  return stream
}

describe('an event stream through nginx', () => {
  test('arrives event by event', async () => {
    const { nginx, url } = await open()
    const stream = await openStream(nginx)
    for (const id of [1, 2]) {
      await curl(nginx, ...key, `${url}/v1/pets/7`)
      await stream.read(new RegExp(`"id":${id},`))
    }
  })

  test('stays open while it is idle for longer than the timeout of nginx', async () => {
    const replaced = { 'proxy_read_timeout 90s': 'proxy_read_timeout 1s' }
    // A comment every 0.3 s, and one every 15 s.
    const short = await openStream(await startBehindNginx(3_000, replaced))
    await short.read(/(:\n\n){5}/)
    const long = await openStream(await startBehindNginx(300_000, replaced))
    await expect(long.read(/:\n\n/)).rejects.toThrow('curl ended')
  })
})

/** Starts a server in this process, whose event streams send ten comments per `idleTimeoutMs`. */
async function startBehindNginx(
  idleTimeoutMs: number,
  replaced: Readonly<Record<string, string>>,
): Promise<Nginx> {
  const { url } = await openServer({ limits: { idleTimeoutMs }, allowedHosts: true })
  const { host } = new URL(url)
  return startNginx({ replicas: [host, host, host], replaced })
}
