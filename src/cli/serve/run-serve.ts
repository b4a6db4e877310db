import type { Command } from 'commander'
import { createSandboxServer } from '../../http/create.js'
import type { SandboxServer } from '../../http/server.js'
import { createInProcessSandbox } from '../../in-process/prepare.js'
import { platform } from '../../sandbox/platform.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { ScenarioLibrary } from '../../scenario/library.js'
import { CliError } from '../cli-error.js'
import { refuseProblems } from '../failure.js'
import { readOptions } from '../read-options.js'
import { ScenarioFiles, type ScenarioPlaces } from '../scenario-files.js'
import type { Terminal } from '../terminal.js'
import { createLog } from './create-log.js'
import { toInitialNames, toPlaces } from './initial-scenarios.js'
import { loadHandlers } from './load-handlers.js'
import { ScenarioReloader } from './scenario-reloader.js'
import type { ServeLog } from './serve-log.js'
import { type ServeOptions, serveOptionsSchema } from './serve-options.js'
import { describeStartUp } from './start-up.js'
import { stopOnSignal } from './stop-on-signal.js'
import { watchPaths } from './watch-paths.js'

/**
 * Serves until a signal stops it.
 *
 * @throws {CliError | ScenarioError} When it cannot start.
 */
export async function runServe(command: Command, terminal: Terminal): Promise<void> {
  const options = readOptions(command, serveOptionsSchema)
  const places = toPlaces(options)
  refuseIdleWatch(options, places)
  const library = new ScenarioLibrary()
  const files = new ScenarioFiles(places, library)
  refuseProblems(await files.load())
  const scenario = toInitialNames(options, library)
  const { maxWorlds } = options
  const handlers = await loadHandlers(options.handlers)
  const sandbox = await createInProcessSandbox({ scenario, maxWorlds }, library, platform)
  const server = await createSandboxServer({ sandbox, handlers })
  const { core } = sandbox
  const log = createLog(options.log, terminal, platform.now)
  core.subscribe((entry) => log.called(entry))
  const url = await listen(server, options)
  const stopped = stopOnSignal(terminal, () => server.close())
  const watching = options.watch ? watchScenarios(files, core, log) : undefined
  log.started(describeStartUp(url, options.host, scenario.join('+'), library.names()))
  await watching?.reloader.reload() // what changed before the watch began
  await stopped
  watching?.end()
}

function refuseIdleWatch({ watch }: ServeOptions, { directory, files = [] }: ScenarioPlaces): void {
  if (!watch || directory !== undefined || files.length > 0) return
  throw new CliError(
    '--watch has nothing to watch; add --scenarios DIR or --scenario FILE.json to it',
  )
}

async function listen(server: SandboxServer, { port, host }: ServeOptions): Promise<string> {
  try {
    return await server.listen({ port, host })
  } catch (error) {
    throw new CliError(toReason(error))
  }
}

function watchScenarios(files: ScenarioFiles, core: Sandbox, log: ServeLog) {
  const reloader = new ScenarioReloader(files, core, log)
  const end = watchPaths(
    files.places,
    () => void reloader.reload(),
    (error) => log.failed(`--watch has ended: ${toReason(error)}`),
  )
  return { reloader, end }
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
