import { watch } from 'node:fs'
import { dirname } from 'node:path'
import { debounce } from 'es-toolkit/function'
import type { Sandbox } from '../../engine/sandbox.js'
import { readErrorField } from '../../service/validation/message.js'
import { ScenarioError } from '../../world/scenario/error.js'
import type { ScenarioFiles } from '../../world/scenario/files.js'
import { toSeedDocument } from '../../world/scenario/snapshot.js'
import type { WorldSeed } from '../../world/seed.js'

/** Where the results of a reload are logged, each as one line. */
interface WatchLog {
  /** Worlds have restarted, or new worlds use the changed files. */
  notice(line: string): void
  /** A file is invalid, or a directory cannot be watched. */
  error(line: string): void
}

/** Debounce delay in milliseconds. Editors write a file in several steps. */
const quietMs = 60

/**
 * Applies changed scenario files: all of them, or none if one is invalid. An initial world restarts
 * if its own scenario changed; all other worlds keep running.
 */
export function watchScenarios(files: ScenarioFiles, sandbox: Sandbox, log: WatchLog) {
  let running = Promise.resolve()
  /** Reloads the files, after any reload in progress. Never rejects. */
  const reload = () => {
    const { reportError } = sandbox.settings.platform
    running = running.then(() => reloadFiles(files, sandbox, log)).catch(reportError)
    return running
  }
  const reloadSoon = debounce(() => void reload(), quietMs)
  const fail = (error: unknown) =>
    log.error(`the scenario files are no longer watched: ${readErrorField(error, 'message')}`)
  // An editor may replace a file with a new one, so directories are watched.
  const directories = new Set(files.files.map((file) => dirname(file)))
  if (files.directory !== undefined) directories.add(files.directory)
  const stopping = new AbortController()
  for (const path of directories) {
    try {
      watch(path, { signal: stopping.signal }, reloadSoon).on('error', fail)
    } catch (error) {
      fail(error)
    }
  }
  const stop = () => {
    reloadSoon.cancel()
    stopping.abort()
  }
  return { reload, stop }
}

async function reloadFiles(files: ScenarioFiles, sandbox: Sandbox, log: WatchLog): Promise<void> {
  try {
    if (!(await files.load())) return
    const notes = await restartWorlds(files, sandbox)
    if (notes.size === 0) notes.add('scenario files reloaded; new worlds start from them')
    for (const note of notes) log.notice(note)
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const { source, file = source, problems } = error
    const lines = problems.map((problem) => `${file}: ${problem}; existing worlds are unchanged`)
    for (const line of lines) log.error(line)
  }
}

/** Restarts the initial worlds whose scenario has changed. Returns what the user should know. */
async function restartWorlds(
  { library }: ScenarioFiles,
  { worlds, settings }: Sandbox,
): Promise<Set<string>> {
  /** Prepares the scenarios of a seed again. Returns undefined if one of them was removed. */
  const prepare = async ({ names }: WorldSeed) =>
    names?.every((name) => library.has(name))
      ? library.prepare(names, settings.platform.now())
      : undefined
  // Creates the world from the old files if necessary, so that the log reports the change.
  worlds.initial('production')
  const initial = await prepare(worlds.initialSeed)
  if (initial) worlds.replaceInitialSeed(initial)
  const notes = new Set<string>()
  for (const world of worlds.allInitial()) {
    const { scenario, names } = world.seed
    if (!names) continue // the scenario of a client, which is in no file
    const seed = await prepare(world.seed)
    if (!seed) {
      notes.add(`the scenario ${scenario} was removed; existing worlds are unchanged`)
      continue
    }
    // Another replica may have restarted the world meanwhile.
    const isRestarted = await worlds.execute(world, () => {
      if (areEqual(world.seed, seed)) return false
      if (seed.scenario === worlds.initialSeed.scenario) world.start(seed)
      else world.replace(seed)
      return true
    })
    if (isRestarted) {
      notes.add(`the scenario ${scenario} has changed; its initial worlds were restarted`)
    }
  }
  return notes
}

/** Whether the worlds of two seeds are equal. */
function areEqual(one: WorldSeed, other: WorldSeed): boolean {
  return JSON.stringify(toSeedDocument(one)) === JSON.stringify(toSeedDocument(other))
}
