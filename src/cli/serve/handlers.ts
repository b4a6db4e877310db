import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SandboxServerOptions } from '../../http/create.js'
import { describeValue } from '../../validation/validate.js'
import { CliError } from '../failure.js'

type Handlers = NonNullable<SandboxServerOptions['handlers']>

const wanted =
  '--handlers must be an ES module that exports an array of msw request handlers, as default export or as "handlers"'

/**
 * Imports the msw request handlers of a user's module.
 *
 * @throws {CliError} If the module cannot be loaded or exports something else.
 */
export async function loadHandlers(path: string | undefined): Promise<Handlers> {
  if (path === undefined) return []
  const exported = await importModule(path)
  const handlers = exported.default ?? exported.handlers
  if (!Array.isArray(handlers)) {
    throw new CliError(`${wanted}, found ${describeValue(handlers)} in ${path}`)
  }
  const at = handlers.findIndex((item) => !isHandler(item))
  if (at >= 0) {
    throw new CliError(`${wanted}, found ${describeValue(handlers[at])} at [${at}] in ${path}`)
  }
  return handlers
}

async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(`${wanted}, found ${path}, which cannot be loaded: ${reason.split('\n', 1)}`)
  }
}

/** Duck-typed, because the module may import another copy of msw. */
function isHandler(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  return ['predicate', 'parse', 'run'].every(
    (name) => typeof Reflect.get(item, name) === 'function',
  )
}
