import { fileURLToPath } from 'node:url'
import { openSite, type Site, workerFolder } from './site.js'

const configFile = fileURLToPath(
  new URL('../../../examples/storefront/vite.config.ts', import.meta.url),
)

/**
 * The example examples/storefront, built.
 *
 * @param sandboxUrl A sandbox over HTTP; without it the page is its own sandbox.
 */
export function openStorefront(sandboxUrl?: string): Promise<Site> {
  return openSite({
    configFile,
    publicDir: sandboxUrl === undefined ? workerFolder : false,
    define: { 'import.meta.env.VITE_SANDBOX_URL': JSON.stringify(sandboxUrl) ?? 'undefined' },
  })
}
