import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Connect, Plugin, PreviewServer, ResolvedConfig, ViteDevServer } from 'vite'
import * as z from 'zod/mini'
import { isPlainObject } from '../../service/validation/options.js'
import { ScenarioFiles } from '../../world/scenario/files.js'
import { type PanelOptions, readPanelOptions } from '../browser/panel-options.js'
import { checkOptions, toOptionsSchema } from '../in-process/options.js'
import {
  createSandboxMiddleware,
  middlewareShape,
  type SandboxMiddlewareOptions,
} from './create.js'
import { prefixPattern } from './hosts.js'
import { watchScenarios } from './watch.js'

/** Options of the plugin for Vite: the options of a sandbox middleware, and where and how it is served. */
export interface PetstoreSandboxOptions extends Omit<SandboxMiddlewareOptions, 'pages'> {
  /**
   * Path at which the sandbox is mounted, from the origin of the server. The API is at `/v1` below it,
   * and unknown paths below it get 404. At `/`, there is no console, and Vite responds to unknown
   * paths. Default: `/petstore`.
   */
  readonly prefix?: string | undefined
  /**
   * Whether the HTML pages of the development server have the panel, or options of the panel.
   * Default: false.
   */
  readonly panel?: boolean | PanelOptions | undefined
  /**
   * Directory whose scenario files are available by name, in addition to the built-in ones. Relative to
   * the root of the project. Changed files are applied while the server runs.
   */
  readonly scenarioDirectory?: string | undefined
}

const wantedPrefix = 'a path such as "/petstore"'

const optionsSchema = toOptionsSchema({
  ...middlewareShape,
  prefix: z.string(wantedPrefix).check(z.regex(prefixPattern, wantedPrefix)),
  panel: z.custom(
    (value) => typeof value === 'boolean' || isPlainObject(value),
    'true, false or an object with options of the panel',
  ),
} satisfies Record<keyof PetstoreSandboxOptions, z.ZodMiniType>)

const pluginName = 'petstore-sandbox'

/** Path of the script that adds the panel to a page, and of the modules that it imports. */
const panelPath = '/@petstore-sandbox'

const panelModules = ['devtools.js', 'panel.js', 'create-test.js']

/**
 * Creates a plugin for Vite. `vite dev` and `vite preview` then serve a sandbox under the origin of the
 * application. It does nothing in a build and in vitest. With an invalid option, the server does not
 * start.
 *
 * @example
 * export default defineConfig({
 *   plugins: [petstoreSandbox({ scenario: 'low-stock', panel: true })],
 * })
 */
export function petstoreSandbox(options: PetstoreSandboxOptions = {}): Plugin {
  /** Closes the sandbox of a development server, by its environment for the browser. */
  const closers = new WeakMap<object, () => Promise<void>>()
  return {
    name: pluginName,
    apply: 'serve',
    // On a restart, Vite keeps its server and port if this fails, but not if configureServer does.
    async configResolved(config) {
      if (!isVitest(config)) await checkConfig(config, options)
    },
    async configureServer(server) {
      if (isVitest(server.config)) return
      closers.set(server.environments.client, await openSandbox(server, options))
    },
    async configurePreviewServer(server) {
      const close = await openSandbox(server, options)
      server.httpServer.once('close', () => void close())
    },
    transformIndexHtml(_html, { server }) {
      if (!server || !closers.has(server.environments.client) || !options.panel) return []
      const attrs = { type: 'module', src: `${panelPath}/panel` }
      return [{ tag: 'script', attrs, injectTo: 'body' }]
    },
    // The development server calls it on its close, also in the middleware mode without a server.
    async buildEnd() {
      await closers.get(this.environment)?.()
    },
  }
}

/** Whether vitest runs Vite. Its tests use the fixture of petstore-sandbox/vitest. */
function isVitest({ plugins }: ResolvedConfig): boolean {
  return plugins.some(({ name }) => name === 'vitest')
}

/**
 * Checks the options and the scenarios. Opens nothing that remains open.
 *
 * @throws {ScenarioError} If a scenario is unknown or invalid.
 * @throws {TypeError} If an option is unknown or invalid.
 */
async function checkConfig(config: ResolvedConfig, options: PetstoreSandboxOptions): Promise<void> {
  checkOptions(optionsSchema, options, 'petstoreSandbox')
  const count = config.plugins.filter(({ name }) => name === pluginName).length
  if (count > 1) {
    throw new TypeError(
      `a configuration must have one petstoreSandbox(), found ${count}; one sandbox has a world for each key and label`,
    )
  }
  if (isPlainObject(options.panel)) readPanelOptions(options.panel, 'the panel')
  const { sandbox } = await createSandboxMiddleware({
    ...toMiddlewareOptions(options, config),
    store: undefined,
  })
  if (!options.sandbox) await sandbox.close()
}

function toMiddlewareOptions(
  { prefix, panel, ...options }: PetstoreSandboxOptions,
  { root }: ResolvedConfig,
): SandboxMiddlewareOptions {
  const { scenarioDirectory: directory } = options
  return {
    allowedHosts: true, // Vite has checked the host
    ...options,
    scenarioDirectory: directory === undefined ? undefined : resolve(root, directory),
  }
}

/** Returns a script that opens the panel. */
function toPanelScript(mountPath: string, panel?: boolean | PanelOptions): string {
  const options = typeof panel === 'object' ? panel : {}
  const argument = JSON.stringify({ apiKey: 'sbx_free', ...options, url: mountPath || '/' })
  return `import { connectPanel } from './devtools.js'\nconnectPanel(${argument})\n`
}

/** Mounts a sandbox in a server. Returns a function that closes it. */
async function openSandbox(
  server: ViteDevServer | PreviewServer,
  options: PetstoreSandboxOptions,
): Promise<() => Promise<void>> {
  const { config, middlewares } = server
  const { prefix = '/petstore', panel } = options
  const mountPath = prefix.replace(/\/$/, '')
  const middlewareOptions = toMiddlewareOptions(options, config)
  const middleware = await createSandboxMiddleware({
    ...middlewareOptions,
    pages: mountPath !== '',
  })
  middlewares.use(mountPath, (req, res, next) => {
    // For Connect, /petstore.css is below /petstore too.
    const isFile = req.originalUrl?.startsWith(`${mountPath}.`)
    if (mountPath === '' || isFile) middleware(req, res, next)
    else middleware(req, res)
  })
  middlewares.use(panelPath, createPanelMiddleware(toPanelScript(mountPath, panel)))
  announce(server, mountPath)
  const { core } = middleware.sandbox
  const files = new ScenarioFiles(core.settings.library, middlewareOptions.scenarioDirectory)
  await files.load()
  const watching = watchScenarios(files, core, {
    notice: (line) => config.logger.info(`petstore-sandbox: ${line}`, { timestamp: true }),
    error: (line) => config.logger.error(`petstore-sandbox: ${line}`, { timestamp: true }),
  })
  return async () => {
    watching.stop()
    await middleware.close()
  }
}

/** Serves the script that opens the panel, and the modules of the package that it imports. */
function createPanelMiddleware(script: string): Connect.NextHandleFunction {
  return (req, res, next) => {
    const [name = ''] = (req.url ?? '').slice(1).split('?')
    if (name !== 'panel' && !panelModules.includes(name)) return next()
    const reading = name === 'panel' ? script : readFile(new URL(name, import.meta.url))
    Promise.resolve(reading).then((code) => {
      res.setHeader('Content-Type', 'text/javascript')
      res.setHeader('Cache-Control', 'no-cache')
      res.end(code)
    }, next)
  }
}

/** Prints the addresses below the URLs of the server, or at once if Vite has no server of its own. */
function announce(server: ViteDevServer | PreviewServer, mountPath: string): void {
  const { config, httpServer, printUrls } = server
  const print = (origin: string) => {
    config.logger.info(`  ➜  Petstore: ${origin}${mountPath}/v1 with the key sbx_free`)
    // With HTTPS, Vite uses HTTP/2, over which the console cannot be served.
    const hasConsole = mountPath !== '' && !origin.startsWith('https:')
    if (hasConsole) config.logger.info(`  ➜  Petstore console: ${origin}${mountPath}/`)
  }
  if (!httpServer) {
    print('')
    return
  }
  server.printUrls = () => {
    printUrls.call(server)
    const { local = [], network = [] } = server.resolvedUrls ?? {}
    const [url] = [...local, ...network]
    if (url) print(new URL(url).origin)
  }
}
