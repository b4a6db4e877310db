import { fileURLToPath } from 'node:url'
import { openSite, type Site, workerFolder } from './site.js'

const configFile = fileURLToPath(
  new URL('../../../examples/storefront/vite.config.ts', import.meta.url),
)

/**
 * Builds and serves examples/storefront.
 *
 * @param sandboxUrl URL of a sandbox server. Default: a sandbox in the page.
 */
export function openStorefront(sandboxUrl?: string): Promise<Site> {
  // Vite reads it for its configuration and for the page.
  if (sandboxUrl === undefined) delete process.env.VITE_SANDBOX_URL
  else process.env.VITE_SANDBOX_URL = sandboxUrl
  return openSite({ configFile, publicDir: sandboxUrl === undefined ? workerFolder : false })
}
