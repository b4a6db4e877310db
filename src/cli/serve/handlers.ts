import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readErrorField } from '../../service/validation/message.js'
import { describeValue } from '../../service/validation/validate.js'
import type { SandboxServerOptions } from '../../transport/http/create.js'
import { hasField } from '../../transport/in-process/options.js'
import { UsageError } from '../../verify/usage-error.js'

type Handlers = NonNullable<SandboxServerOptions['handlers']>

const wanted =
  '--handlers must be an ES module that exports an array of msw request handlers, as default export or as "handlers"'

/**
 * Imports the msw request handlers of a user's module.
 *
 * @throws {UsageError} If the module cannot be loaded or exports something else.
 */
export async function loadHandlers(path: string | undefined): Promise<Handlers> {
  if (path === undefined) return []
  const { importModule } = await import('./import-module.js')
  const exported = await importModule(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    const [reason = ''] = String(readErrorField(error, 'message') ?? error).split('\n', 1)
    // Node.js adds which file of this package has imported the module.
    const stated = reason.replace(/ imported from .*$/, '')
    throw new UsageError(`${wanted}, found ${path}, which cannot be loaded: ${stated}`)
  })
  const handlers = exported.default ?? exported.handlers
  if (!Array.isArray(handlers)) {
    throw new UsageError(`${wanted}, found ${describeValue(handlers)} in ${path}`)
  }
  const at = handlers.findIndex((item) => !hasField(item, 'run'))
  if (at < 0) return handlers
  throw new UsageError(`${wanted}, found ${describeValue(handlers[at])} at [${at}] in ${path}`)
}
