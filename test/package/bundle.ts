import { join } from 'node:path'
import { build, createLogger } from 'vite'

/**
 * Bundles a module of a project for a browser.
 *
 * @throws {Error} If the bundler cannot resolve or link the module.
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
  const outputs = [result].flat().flatMap((build) => ('output' in build ? build.output : []))
  const code = outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('\n')
  return { code, warnings }
}
