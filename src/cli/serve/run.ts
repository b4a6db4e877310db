import type { Command } from 'commander'
import { platform } from '../../engine/platform.js'
import { suggestName } from '../../service/validation/nearest-name.js'
import { type Store, StoreError } from '../../store/store.js'
import { createAccess } from '../../transport/http/access.js'
import { Metrics } from '../../transport/http/respond.js'
import { SandboxServer, toMaxMemory } from '../../transport/http/server.js'
import { loadStoredWorlds } from '../../transport/in-process/create.js'
import { openDirectoryStore, openRedisStore } from '../../transport/in-process/node.js'
import { createCore } from '../../transport/in-process/sandbox.js'
import { UsageError } from '../../verify/usage-error.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { rejectProblems } from '../failure.js'
import { describeUnknownVariables, pickValues } from '../options.js'
import { isPath, ScenarioFiles, type ScenarioLocations, toNames } from '../scenario-files.js'
import type { StopSignal, Terminal } from '../terminal.js'
import { reportCapacity } from './capacity.js'
import { loadHandlers } from './handlers.js'
import { createLog, type ServeLog, toSender } from './log.js'
import { limitOptions, type ServeOptions, sandboxOptions } from './options.js'
import { describeStartUp } from './start-up.js'
import { observe } from './store-log.js'
import { ScenarioWatch } from './watch.js'

/**
 * Serves the sandbox until SIGINT or SIGTERM.
 *
 * @throws {UsageError | ScenarioError} If the server cannot start.
 */
export async function runServe(
  options: ServeOptions,
  terminal: Terminal,
  command: Command,
): Promise<void> {
  const { scenario: sources, scenarios: directory } = options
  const locations = { directory, files: sources.filter(isPath) }
  checkWatch(options, locations)
  const library = new ScenarioLibrary()
  const files = new ScenarioFiles(locations, library)
  rejectProblems(await files.load())
  const scenario = readNames(sources, library)
  const log = createLog(options.log, terminal, platform.now)
  const reportError = (error: unknown) => log.bug(error)
  // An error that a handler throws later must not end the process.
  if (options.handlers !== undefined) terminal.onUncaughtError(reportError)
  const handlers = await loadHandlers(options.handlers)
  const metrics = new Metrics()
  const opened = await openStore(options, terminal)
  const store = opened && observe(opened, metrics, log, platform.monotonic)
  const { journalHeaders } = options
  const settings = { ...pickValues(options, sandboxOptions), journalHeaders, scenario, store }
  const core = await createCore(
    { ...settings, maxMemory: toMaxMemory(settings.maxMemory) },
    library,
    { ...platform, reportError, instance: platform.randomLabel().slice(0, 8) },
    {
      access: createAccess(options),
      StoredWorlds: await loadStoredWorlds(store),
    },
  )
  const limits = pickValues(options, limitOptions)
  const server = new SandboxServer({ sandbox: { core }, handlers, limits, hosts: options, metrics })
  core.requests.add((entry, _, ...sender) => log.request(entry, toSender(options, ...sender)))
  const stopReports = reportCapacity(core, log)
  const url = await listen(server, options)
  const stopped = stopOnSignal(terminal, (signal) => {
    const noticeMs = beginClosing(signal, options, terminal, log)
    return server.close({ noticeMs })
  })
  const watching = options.watch ? new ScenarioWatch(files, core, log) : undefined
  watching?.start()
  const names = { scenario: scenario.join('+'), scenarios: library.names() }
  log.started(describeStartUp({ ...options, ...names, url, store }))
  warnOfVariables(command, terminal, log)
  await watching?.reload() // a file may have changed before the watch began
  await stopped
  watching?.stop()
  stopReports()
  await core.close()
  log.notice('closed', 'closed')
}

/**
 * Returns the names of scenarios.
 *
 * @throws {UsageError} If there is no scenario with one of the names.
 */
function readNames(sources: readonly string[], library: ScenarioLibrary): readonly string[] {
  const names = toNames(sources, library)
  const unknown = names.find((name) => !library.has(name))
  if (unknown === undefined) return names
  const found = `${JSON.stringify(unknown)}${suggestName(unknown, library.names())}`
  throw new UsageError(
    `--scenario must be the name of a known scenario or the path of a .json file, found ${found}; petstore-sandbox scenarios describes them`,
  )
}

function warnOfVariables({ parent }: Command, { env }: Terminal, log: ServeLog): void {
  const lines = describeUnknownVariables(parent?.commands ?? [], env)
  for (const line of lines) log.error(line, 'warning')
}

/** Time for which unused worlds are kept by default, in milliseconds: 30 days. */
const defaultKeepMs = 30 * 86_400_000

/**
 * Opens the store that the options name. Returns undefined if they name none.
 *
 * @throws {UsageError} If the options contradict each other, or the store cannot be opened.
 */
async function openStore(options: ServeOptions, terminal: Terminal): Promise<Store | undefined> {
  const { data, redis, dataSync: sync, keepMs = defaultKeepMs } = options
  checkStoreOptions(options)
  if (data !== undefined) terminal.createPrivateFiles()
  try {
    if (data !== undefined) return await openDirectoryStore({ directory: data, sync, keepMs })
    return redis === undefined ? undefined : await openRedisStore({ url: redis, keepMs })
  } catch (error) {
    if (error instanceof StoreError) throw new UsageError(error.message)
    throw error
  }
}

function checkStoreOptions({ data, redis, dataSync, keepMs }: ServeOptions): void {
  if (data !== undefined && redis !== undefined) {
    throw new UsageError('--data and --redis exclude each other, found both; omit one of them')
  }
  if (dataSync && data === undefined) throw new UsageError('--data-sync requires --data DIR')
  if (keepMs !== undefined && data === undefined && redis === undefined) {
    throw new UsageError('--keep requires --data DIR or --redis URL, found neither')
  }
}

/** @throws {UsageError} If there are no files to watch. */
function checkWatch({ watch }: ServeOptions, { directory, files = [] }: ScenarioLocations): void {
  if (!watch || directory !== undefined || files.length > 0) return
  throw new UsageError('--watch requires --scenarios DIR or --scenario FILE.json, found neither')
}

async function listen(
  server: Pick<SandboxServer, 'listen'>,
  { port, host }: ServeOptions,
): Promise<string> {
  try {
    return await server.listen({ port, host })
  } catch (error) {
    throw new UsageError(toMessage(error))
  }
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

/**
 * Waits for SIGINT or SIGTERM, and resolves when `close` has resolved. A second signal exits
 * immediately, with the exit code that shells use for the signal.
 *
 * @param close Stops accepting requests, and resolves when the pending ones have been processed.
 */
function stopOnSignal(
  terminal: Terminal,
  close: (signal: StopSignal) => Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isStopping = false
    const removeListener = terminal.onStopSignal((signal) => {
      if (isStopping) {
        terminal.exit(signal === 'SIGINT' ? 130 : 143)
        return
      }
      isStopping = true
      close(signal).then(resolve, reject).finally(removeListener)
    })
  })
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
