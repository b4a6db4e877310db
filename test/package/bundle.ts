import { join } from 'node:path'
import { build, createLogger } from 'vite'

/**
 * Bundles a module of a project as for a page.
 *
 * @throws {Error} When the bundler cannot resolve or link it.
 */
export async function bundleForBrowser(
  folder: string,
  entry: string,
): Promise<{ code: string; warnings: string[] }> {
  const warnings: string[] = []
  const logger = createLogger('silent')
  const warn = (message: string) => warnings.push(message)
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    customLogger: { ...logger, warn, warnOnce: warn },
    build: { write: false, target: 'es2023', rolldownOptions: { input: join(folder, entry) } },
  })
  const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const code = outputs.map((one) => (one.type === 'chunk' ? one.code : '')).join('\n')
  return { code, warnings }
}
