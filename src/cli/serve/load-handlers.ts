import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SandboxServerOptions } from '../../http/create.js'
import { describeValue } from '../../validation/validate.js'
import { CliError } from '../cli-error.js'

type Handlers = NonNullable<SandboxServerOptions['handlers']>

const wanted =
  '--handlers must be an ES module that exports an array of msw request handlers, as default or as "handlers"'

/**
 * Loads the request handlers that a user's module exports.
 *
 * @throws {CliError} When there is no such module, it cannot run, or exports something else.
 */
export async function loadHandlers(path: string | undefined): Promise<Handlers> {
  if (path === undefined) return []
  const exported = await importModule(path)
  const handlers = exported.default ?? exported.handlers
  if (!Array.isArray(handlers)) {
    throw new CliError(`${wanted}, found ${describeValue(handlers)} in ${path}`)
  }
  const odd = handlers.findIndex((item) => !isHandler(item))
  if (odd >= 0) {
    throw new CliError(`${wanted}, found ${describeValue(handlers[odd])} at [${odd}] in ${path}`)
  }
  return handlers
}

async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CliError(`${wanted}, found that ${path} cannot be loaded: ${reason.split('\n', 1)}`)
  }
}

/** By its shape, because the module may have another copy of msw. */
function isHandler(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  return ['predicate', 'parse', 'run'].every(
    (name) => typeof Reflect.get(item, name) === 'function',
  )
}
