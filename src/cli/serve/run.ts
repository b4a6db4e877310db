import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compact } from 'es-toolkit/array'
import { pick } from 'es-toolkit/object'
import { platform } from '../../engine/platform.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { readErrorField } from '../../service/validation/message.js'
import { describeValue } from '../../service/validation/validate.js'
import type { Store } from '../../store/store.js'
import { createAccess } from '../../transport/http/access.js'
import { Metrics } from '../../transport/http/respond.js'
import { SandboxServer, type SandboxServerParts, toMaxMemory } from '../../transport/http/server.js'
import { watchScenarios } from '../../transport/http/watch.js'
import { loadStoredWorlds } from '../../transport/in-process/create.js'
import { openDirectoryStore, openRedisStore } from '../../transport/in-process/node.js'
import { type CoreOptions, hasField } from '../../transport/in-process/options.js'
import { createCore } from '../../transport/in-process/sandbox.js'
import { UsageError } from '../../verify/usage-error.js'
import { isPath, ScenarioFiles } from '../../world/scenario/files.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { describeUnknownVariables, worldOptions } from '../options.js'
import type { StopSignal, Terminal } from '../terminal.js'
import { createLog, observe, reportCapacity, type ServeLog, toSender } from './log.js'
import { type ServeOptions, serveOptions } from './options.js'
import { describeStartUp } from './start-up.js'

/**
 * Serves the sandbox until SIGINT or SIGTERM.
 *
 * @throws {UsageError | ScenarioError} If the server cannot start.
 */
export async function runServe(options: ServeOptions, terminal: Terminal): Promise<void> {
  checkCombinations(options)
  const { scenario: sources = ['default'], scenarios: directory } = options
  const files = new ScenarioFiles(new ScenarioLibrary(), directory, sources.filter(isPath))
  await files.load()
  const scenario = files.toNames(sources)
  const log = createLog(options.log, terminal, platform.now)
  // An error that a handler throws later must not end the process.
  if (options.handlers !== undefined) terminal.onUncaughtError((error) => log.bug(error))
  const handlers = await loadHandlers(options.handlers)
  const metrics = new Metrics()
  const opened = await openStore(options, terminal)
  const store = opened && observe(opened, metrics, log, platform.monotonic)
  const core = await openSandbox({ ...options, scenario, store }, files.library, log)
  const parts = { handlers, limits: options, hosts: options, metrics }
  const server = new SandboxServer({ sandbox: { core }, ...parts })
  core.requests.add((entry, _, ...sender) => log.request(entry, toSender(options, ...sender)))
  const stopReports = reportCapacity(core, log)
  const url = await server.listen(pick(options, ['port', 'host'])).catch(async (error: Error) => {
    await core.close()
    throw new UsageError(error.message)
  })
  const signal = new Promise<StopSignal>((resolve) => terminal.onStopSignal(resolve))
  const watching = options.watch ? watchScenarios(files, core, log) : undefined
  const name = scenario.join('+')
  log.started(describeStartUp(options, url, name, files.library.names(), store))
  const unknown = describeUnknownVariables({ ...serveOptions, ...worldOptions }, terminal.env)
  for (const line of unknown) log.error(line, 'warning')
  await watching?.reload() // a file may have changed before the watch began
  await server.close({ noticeMs: beginClosing(await signal, options, terminal, log) })
  watching?.stop()
  stopReports()
  await core.close()
  log.notice('closed', 'closed')
}

/** @throws {UsageError} If the options contradict each other. */
function checkCombinations(options: ServeOptions): void {
  const { data, redis, dataSync, keepMs, watch, scenarios, scenario = [] } = options
  const isWatched = scenarios !== undefined || scenario.some(isPath)
  const problems = compact([
    data && redis && '--data and --redis exclude each other, found both; omit one of them',
    dataSync && !data && '--data-sync requires --data DIR',
    keepMs && !data && !redis && '--keep requires --data DIR or --redis URL, found neither',
    watch &&
      !isWatched &&
      '--watch requires --scenarios DIR or --scenario FILE.json, found neither',
  ])
  if (problems.length > 0) throw new UsageError(problems.join('; '))
}

/**
 * Opens the store that the options name. Returns undefined if they name none.
 *
 * @throws {StoreError} If it cannot be opened.
 */
async function openStore(options: ServeOptions, terminal: Terminal): Promise<Store | undefined> {
  const { data, redis, dataSync: sync, keepMs = 30 * 86_400_000 } = options // 30 days
  if (redis !== undefined) return openRedisStore({ url: redis, keepMs })
  if (data === undefined) return undefined
  terminal.createPrivateFiles()
  return openDirectoryStore({ directory: data, sync, keepMs })
}

/**
 * Imports the msw request handlers of a user's module.
 *
 * @throws {UsageError} If the module cannot be loaded or exports something else.
 */
async function loadHandlers(
  path: string | undefined,
): Promise<SandboxServerParts<unknown>['handlers']> {
  if (path === undefined) return []
  const { importModule } = await import('./import-module.js')
  const exported = await importModule(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    const reason = readErrorField(error, 'message') ?? String(error)
    // Node.js adds which file of this package has imported the module.
    const stated = reason.replace(/\n.*| imported from .*/s, '')
    return rejectHandlers(`${path}, which cannot be loaded: ${stated}`)
  })
  const handlers = exported.default ?? exported.handlers
  if (!Array.isArray(handlers)) return rejectHandlers(`${describeValue(handlers)} in ${path}`)
  const at = handlers.findIndex((item) => !hasField(item, 'run'))
  return at < 0 ? handlers : rejectHandlers(`${describeValue(handlers[at])} at [${at}] in ${path}`)
}

function rejectHandlers(found: string): never {
  const wanted =
    '--handlers must be an ES module that exports an array of msw request handlers, as default export or as "handlers"'
  throw new UsageError(`${wanted}, found ${found}`)
}

async function openSandbox(
  options: Omit<ServeOptions, 'scenario'> & Pick<CoreOptions, 'scenario' | 'store'>,
  library: ScenarioLibrary,
  log: ServeLog,
): Promise<Sandbox> {
  const reportError = (error: unknown) => log.bug(error)
  return createCore(
    { ...options, maxMemory: toMaxMemory(options.maxMemory) },
    library,
    { ...platform, reportError, instance: platform.randomLabel().slice(0, 8) },
    { access: createAccess(options), StoredWorlds: await loadStoredWorlds(options.store) },
  ).catch(async (error: unknown) => {
    // Its connection would keep the process alive.
    await options.store?.close()
    throw error
  })
}

/** Logs that the server closes, and returns the milliseconds of its notice. */
function beginClosing(
  signal: StopSignal,
  { notice }: ServeOptions,
  { stdout }: Terminal,
  log: ServeLog,
): number {
  // SIGINT is sent by a person, who does not want to wait.
  const seconds = signal === 'SIGINT' ? 0 : (notice ?? (stdout.isTTY ? 0 : 5))
  const unready = seconds === 0 ? '' : `/readyz responds with 503 for ${seconds} s, then `
  log.notice(`closing on ${signal}: ${unready}the server accepts no new connections`, 'closing')
  return seconds * 1_000
}
