import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  build,
  createLogger,
  createServer,
  type InlineConfig,
  type Plugin,
  preview,
  resolveConfig,
  type ViteDevServer,
} from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ScenarioName } from '../../../src/index.js'
import { type PetstoreSandboxOptions, petstoreSandbox } from '../../../src/vite.js'
import { MemoryStore } from '../../support/memory-store.js'
import { RawClient } from '../../support/raw-client.js'
import { serve } from '../../support/server.js'

const headers = { Authorization: 'Bearer sbx_free' }
const patch = {
  method: 'PATCH',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: '{"quantity":5}',
}

/** Creates a project with a page, and removes it after the test. */
async function createProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'vite-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await cp(join(import.meta.dirname, '../../../examples/vite/index.html'), `${root}/index.html`)
  await writeFile(join(root, 'main.ts'), 'document.title = "My shop"\n')
  return root
}

/** Returns the configuration of a project with the plugin, and the lines that it logs. */
function configure(root: string, plugin: PetstoreSandboxOptions = {}, config: InlineConfig = {}) {
  const lines: string[] = []
  const customLogger = createLogger('silent')
  customLogger.info = customLogger.error = (line) => void lines.push(line)
  const address = { port: 0, host: '127.0.0.1' }
  const merged: InlineConfig = {
    root,
    configFile: false,
    customLogger,
    preview: address,
    ...config,
    server: { ...address, ws: false, ...config.server },
    plugins: [petstoreSandbox(plugin), config.plugins],
  }
  return { lines, config: merged }
}

async function openDev(plugin?: PetstoreSandboxOptions, config?: InlineConfig) {
  const root = await createProject()
  const configured = configure(root, plugin, config)
  const server = await createServer(configured.config)
  onTestFinished(() => server.close())
  await server.listen()
  server.printUrls()
  return { root, server, lines: configured.lines, url: toUrl(server) }
}

function toUrl({ resolvedUrls }: Pick<ViteDevServer, 'resolvedUrls'>): string {
  return (resolvedUrls?.local[0] ?? '').replace(/\/$/, '')
}

const getText = async (url: string, init?: RequestInit) => (await fetch(url, init)).text()

const panelScript = '<script type="module" src="/@petstore-sandbox/panel"></script>'

test('the development server serves and prints the addresses below /petstore', async () => {
  const { url, lines } = await openDev()
  expect(lines.slice(-2)).toEqual([
    `  ➜  Petstore: ${url}/petstore/v1 with the key sbx_free`,
    `  ➜  Petstore console: ${url}/petstore/`,
  ])
  const changed = await fetch(`${url}/petstore/v1/inventory/1`, patch)
  expect(await changed.json()).toMatchObject({ quantity: 5 })
  const pets = await (await fetch(`${url}/petstore/sandbox/pets`, { headers })).json()
  expect(pets[0]).toMatchObject({ petId: 1, quantity: 5 })
  expect(await getText(`${url}/petstore/openapi.json`)).toContain(`${url}/petstore/v1`)
  expect(await getText(`${url}/main.ts`)).toContain('My shop')
})

test('at the prefix /, the service is at the root, and all other paths belong to the application', async () => {
  const { url, lines } = await openDev({ prefix: '/', panel: true })
  expect(await (await fetch(`${url}/v1/inventory`, { headers })).json()).toHaveLength(12)
  const page = await fetch(`${url}/inventory`, { headers: { Accept: 'text/html' } })
  expect(await page.text()).toContain('<title>Shop</title>')
  expect(await getText(url)).toContain('<title>Shop</title>')
  expect(await getText(`${url}/@petstore-sandbox/panel`)).toContain('"url":"/"')
  expect(lines.at(-1)).toBe(`  ➜  Petstore: ${url}/v1 with the key sbx_free`)
})

test.each([
  '/petstore/inventory',
  '/petstore/nope',
  '/petstore//v1/inventory',
  '/petstore/v2/pets?x',
])('responds with 404 to the unknown path %s, and names the addresses', async (path) => {
  const { url } = await openDev()
  const response = await fetch(`${url}${path}`, { headers: { Accept: 'text/html' } })
  expect(response.status).toBe(404)
  const [request] = path.split('?')
  expect(await response.json()).toEqual({
    code: 'route_not_found',
    status: 404,
    message: expect.stringContaining(
      `no route matches GET ${request}; the addresses are /petstore/v1, /petstore/staging/v1,`,
    ),
  })
})

test('the base of the application does not change the prefix', async () => {
  const { url } = await openDev({ prefix: '/mock/' }, { base: '/shop/' })
  const { origin } = new URL(url)
  expect(await (await fetch(`${origin}/mock/v1/inventory`, { headers })).json()).toHaveLength(12)
})

test('accepts the hosts that Vite accepts', async () => {
  const { port } = new URL((await openDev({}, { server: { allowedHosts: ['shop.example'] } })).url)
  const client = new RawClient(Number(port))
  const get = (host: string) =>
    client.send(`GET /petstore/v1/inventory HTTP/1.1\r\nHost: ${host}\r\n\r\n`).response()
  expect(await get('shop.example')).toMatchObject({ status: 401 })
  expect(await get('other.example')).toMatchObject({ status: 403 })
  client.abort()
})

test.each([
  [true, '{"apiKey":"sbx_free","url":"/petstore"}'],
  [
    { apiKey: 'sbx_pro', position: 'top-left' },
    '{"apiKey":"sbx_pro","position":"top-left","url":"/petstore"}',
  ],
] as const)(
  'with the panel %j, pages of the development server have its script',
  async (panel, expected) => {
    const { url } = await openDev({ panel })
    expect(await getText(url)).toContain(panelScript)
    expect(await getText(`${url}/@petstore-sandbox/panel`)).toContain(`connectPanel(${expected})`)
  },
)

test('without the panel, pages do not have its script, but a page of a framework can add it', async () => {
  const { url } = await openDev()
  expect(await getText(url)).not.toContain('petstore')
  expect(await getText(`${url}/@petstore-sandbox/panel`)).toContain('connectPanel')
})

test('applies changed scenario files while the server runs, and logs invalid ones', async () => {
  const root = await createProject()
  await mkdir(join(root, 'scenarios'))
  const write = (pets: object[]) =>
    writeFile(join(root, 'scenarios/shop.json'), JSON.stringify({ name: 'shop', pets }))
  await write([{ petId: 1, name: 'Rex', quantity: 3 }])
  const { config, lines } = configure(root, {
    scenario: 'shop' as ScenarioName,
    scenarioDirectory: 'scenarios',
  })
  const server = await createServer(config)
  onTestFinished(() => server.close())
  await server.listen()
  const list = async () =>
    (await fetch(`${toUrl(server)}/petstore/v1/inventory`, { headers })).json()
  expect(await list()).toMatchObject([{ petId: 1, quantity: 3 }])
  await write([{ petId: 2, name: 'Rex' }])
  await expect.poll(() => lines.join('\n')).toContain('the scenario shop has changed')
  expect(await list()).toMatchObject([{ petId: 2 }])
  await write([{ petId: 3 }])
  await expect.poll(() => lines.join('\n')).toContain('pets[0].name is missing')
  expect(await list()).toMatchObject([{ petId: 2 }])
})

test.each([
  [{ prefix: 'petstore' }, 'prefix must be a path such as "/petstore", found "petstore"'],
  [
    { pannel: true },
    /^pannel is not an option of petstoreSandbox; did you mean "panel"\? known: .*prefix, panel$/,
  ],
  [null, 'the options of petstoreSandbox must be an object, found null'],
  [{ panel: 'yes' }, 'panel must be true, false or an object with options of the panel'],
  [{ panel: { position: 'left' } }, 'position must be one of bottom-right'],
])('the options %j are rejected before Vite creates a server', async (options, message) => {
  const { config } = configure(await createProject(), options as PetstoreSandboxOptions)
  await expect(resolveConfig(config, 'serve')).rejects.toThrow(message)
})

test('a second plugin in one configuration is rejected', async () => {
  const second = { plugins: [petstoreSandbox({ prefix: '/b' })] }
  const { config } = configure(await createProject(), { prefix: '/a' }, second)
  await expect(resolveConfig(config, 'serve')).rejects.toThrow(
    'a configuration must have one petstoreSandbox(), found 2',
  )
})

test('after a restart with a wrong option, the server and its worlds stay the same', async () => {
  const options: { scenario: ScenarioName } = { scenario: 'default' }
  const { server, url, lines } = await openDev(options)
  await fetch(`${url}/petstore/v1/inventory/1`, patch)
  const { httpServer } = server
  options.scenario = 'low-stok' as ScenarioName
  await server.restart()
  expect(lines.at(-1)).toBe('server restart failed')
  expect(server.httpServer).toBe(httpServer)
  expect(await getText(`${url}/petstore/v1/inventory`, { headers })).toContain('"quantity":5,')
  options.scenario = 'empty-store'
  await server.restart()
  expect(toUrl(server)).toBe(url)
  expect(await getText(`${url}/petstore/v1/inventory`, { headers })).toBe('[]')
})

test('the sandbox is closed with a server of its own middleware, and survives a restart', async () => {
  const root = await createProject()
  const store = new MemoryStore(true)
  const close = vi.spyOn(store, 'close')
  const { config, lines } = configure(root, { store }, { server: { middlewareMode: true } })
  const server = await createServer(config)
  expect(lines).toEqual([
    '  ➜  Petstore: /petstore/v1 with the key sbx_free',
    '  ➜  Petstore console: /petstore/',
  ])
  const url = await serve(createHttpServer(server.middlewares))
  expect((await fetch(`${url}/petstore/v1/inventory/1`, patch)).status).toBe(200)
  await server.restart()
  expect(close).toHaveBeenCalledTimes(1)
  expect(await getText(`${url}/petstore/v1/inventory`, { headers })).toContain('"quantity":5,')
  await server.close()
  expect(close).toHaveBeenCalledTimes(2)
})

/** Builds a project, and returns its files with their content. */
async function buildProject(root: string, outDir: string, plugins: Plugin[]) {
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: { outDir, emptyOutDir: true },
  })
  const names = await readdir(join(root, outDir), { recursive: true })
  const files = names.filter((name) => name.includes('.'))
  return Promise.all(
    files.map(async (name) => [name, await readFile(join(root, outDir, name), 'utf8')]),
  )
}

test('a build has the same files as without the plugin', async () => {
  const root = await createProject()
  const plugin = petstoreSandbox({ panel: true })
  const withPlugin = await buildProject(root, 'with', [plugin])
  expect(withPlugin).toHaveLength(2)
  expect(withPlugin).toEqual(await buildProject(root, 'without', []))
})

test('the preview serves the sandbox beside the built pages, which it does not change', async () => {
  const root = await createProject()
  await buildProject(root, 'dist', [])
  const store = new MemoryStore(true)
  const close = vi.spyOn(store, 'close')
  const { config, lines } = configure(root, { panel: true, store })
  const server = await preview(config)
  server.printUrls()
  const url = toUrl(server)
  expect(lines).toContain(`  ➜  Petstore console: ${url}/petstore/`)
  expect(await (await fetch(`${url}/petstore/v1/inventory`, { headers })).json()).toHaveLength(12)
  expect(await getText(url)).toBe(await readFile(join(root, 'dist/index.html'), 'utf8'))
  expect(await getText(`${url}/@petstore-sandbox/panel`)).toContain('connectPanel')
  const closed = once(server.httpServer, 'close')
  await server.close()
  await closed
  await expect.poll(() => close.mock.calls.length).toBe(1)
})

test('does nothing in vitest, whose tests have a fixture', async () => {
  const { url, lines } = await openDev({ panel: true }, { plugins: [{ name: 'vitest' }] })
  expect(lines.join()).not.toContain('Petstore')
  expect((await fetch(`${url}/petstore/v1/inventory`)).headers.get('content-type')).toBe(
    'text/html',
  )
  expect(await getText(url)).not.toContain('petstore')
})
