import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import { debounce } from 'es-toolkit/function'
import type { Sandbox } from '../../engine/sandbox.js'
import { readErrorField } from '../../service/validation/message.js'
import { toSeedDocument } from '../../world/scenario/snapshot.js'
import type { WorldSeed } from '../../world/seed.js'
import { toProblemLines } from '../failure.js'
import type { ScenarioFiles } from '../scenario-files.js'
import type { ServeLog } from './log.js'

/** Debounce delay in milliseconds. Editors write a file in several steps. */
const quietMs = 60

/**
 * Applies changed scenario files: all of them, or none if one is invalid. An initial world restarts
 * if its own scenario changed; all other worlds keep running.
 */
export class ScenarioWatch {
  #running = Promise.resolve()
  readonly #watchers: FSWatcher[] = []
  readonly #reloadSoon = debounce(() => void this.reload(), quietMs)

  constructor(
    readonly files: ScenarioFiles,
    readonly sandbox: Sandbox,
    readonly log: ServeLog,
  ) {}

  /** Watches the directories of the files, because an editor may replace a file with a new one. */
  start(): void {
    const { directory, files } = this.files
    const directories = new Set(files.map((file) => dirname(file)))
    if (directory !== undefined) directories.add(directory)
    const fail = (error: unknown) =>
      this.log.error(`--watch has ended: ${readErrorField(error, 'message')}`)
    for (const path of directories) {
      try {
        this.#watchers.push(watch(path, this.#reloadSoon).on('error', fail))
      } catch (error) {
        fail(error)
      }
    }
  }

  stop(): void {
    this.#reloadSoon.cancel()
    for (const watcher of this.#watchers) watcher.close()
  }

  /** Reloads the files, after any reload in progress. Never rejects. */
  reload(): Promise<void> {
    const { reportError } = this.sandbox.settings.platform
    this.#running = this.#running.then(() => this.#reload()).catch(reportError)
    return this.#running
  }

  async #reload(): Promise<void> {
    try {
      if (!(await this.files.load())) return
      const notes = await this.#restartWorlds()
      if (notes.size === 0) notes.add('scenario files reloaded; new worlds start from them')
      for (const note of notes) this.log.notice(note)
    } catch (error) {
      for (const line of toProblemLines(error)) {
        this.log.error(`${line}; existing worlds are unchanged`)
      }
    }
  }

  /** Restarts the initial worlds whose scenario has changed. Returns what the user should know. */
  async #restartWorlds(): Promise<Set<string>> {
    const { worlds } = this.sandbox
    // Creates the world from the old files if necessary, so that the log reports the change.
    worlds.initial('production')
    const initial = await this.#prepare(worlds.initialSeed)
    if (initial) worlds.replaceInitialSeed(initial)
    const notes = new Set<string>()
    for (const world of worlds.allInitial()) {
      const { scenario, names } = world.seed
      if (!names) continue // the scenario of a client, which is in no file
      const seed = await this.#prepare(world.seed)
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

  /** Prepares the scenarios of a seed again. Returns undefined if one of them was removed. */
  async #prepare({ names }: WorldSeed): Promise<WorldSeed | undefined> {
    const { library } = this.files
    if (!names?.every((name) => library.has(name))) return undefined
    return library.prepare(names, this.sandbox.settings.platform.now())
  }
}

/** Whether the worlds of two seeds are equal. */
function areEqual(one: WorldSeed, other: WorldSeed): boolean {
  return JSON.stringify(toSeedDocument(one)) === JSON.stringify(toSeedDocument(other))
}
