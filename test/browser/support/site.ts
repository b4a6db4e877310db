import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import {
  type AppType,
  build,
  type InlineConfig,
  type Plugin,
  type PreviewOptions,
  preview as startPreview,
} from 'vite'

import { bundledData } from '../../support/bundled-data.js'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of msw's worker script. */
export const workerFolder = join(repository, 'node_modules/msw/lib')

/** A built site on a server. */
export interface Site {
  readonly url: string
  close(): Promise<void>
}

/** Builds a site with Vite and serves it on a free port. */
export async function openSite(config: InlineConfig): Promise<Site> {
  const outDir = await mkdtemp(join(tmpdir(), 'petstore-site-'))
  const shared: InlineConfig = { logLevel: 'error', ...config }
  await build({ ...shared, build: { ...config.build, outDir, emptyOutDir: true } })
  const site = await serveSite({ ...shared, build: { outDir } })
  return {
    url: site.url,
    async close() {
      await site.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

/** Serves a built site on a free port. */
export async function serveSite(config: InlineConfig): Promise<Site> {
  const server = await startPreview({
    ...config,
    preview: { ...config.preview, host: '127.0.0.1', port: 0 },
  })
  const { port } = server.httpServer.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Removes `import.meta.env` from the source before Vite replaces it. */
const hideEnvironment: Plugin = {
  name: 'hide-environment',
  enforce: 'pre',
  transform: (code) => code.replace(/\bimport\.meta\b(?= as\b)/, '({})'),
}

/**
 * The page of test/browser/page.
 *
 * @param preview Options of the server.
 * @param publicDir Folder of the static files. Default: the folder of msw's worker script.
 * @param base Path of the site.
 * @param hidesBase Whether the bundler does not define `import.meta.env`, like most others.
 * @param appType With `spa`, unknown paths respond with the page, otherwise with 404.
 */
export function openTestPage({
  appType = 'spa',
  publicDir = workerFolder,
  base = '/',
  hidesBase = false,
  preview = {},
}: {
  appType?: AppType
  publicDir?: string
  base?: string
  hidesBase?: boolean
  preview?: PreviewOptions
} = {}): Promise<Site> {
  return openSite({
    appType,
    base,
    configFile: false,
    root: join(repository, 'test/browser/page'),
    publicDir,
    resolve: { alias: bundledData },
    build: { reportCompressedSize: false },
    plugins: hidesBase ? [hideEnvironment] : [],
    preview,
  })
}
