import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
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
  #timer: NodeJS.Timeout | undefined
  readonly #watchers: FSWatcher[] = []

  constructor(
    readonly files: ScenarioFiles,
    readonly sandbox: Sandbox,
    readonly log: ServeLog,
  ) {}

  /** Watches the directories of the files, because an editor may replace a file with a new one. */
  start(): void {
    const { directory, files = [] } = this.files.locations
    const directories = new Set(files.map((file) => dirname(file)))
    if (directory !== undefined) directories.add(directory)
    const fail = (error: unknown) =>
      this.log.error(`--watch has ended: ${readErrorField(error, 'message')}`)
    const onEvent = () => {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.reload(), quietMs)
    }
    for (const path of directories) {
      try {
        this.#watchers.push(watch(path, onEvent).on('error', fail))
      } catch (error) {
        fail(error)
      }
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers) watcher.close()
  }

  /** Reloads the files, after any reload in progress. Never rejects. */
  reload(): Promise<void> {
    this.#running = this.#running
      .then(() => this.#reload())
      .catch((error) => this.#reject(toProblemLines(error)))
      .catch((error) => this.sandbox.settings.platform.reportError(error))
    return this.#running
  }

  async #reload(): Promise<void> {
    const problems = await this.files.load()
    if (problems === undefined) return
    if (problems.length > 0) return this.#reject(problems)
    const { worlds } = this.sandbox
    // Creates the world from the old files if necessary, so that the log reports the change.
    worlds.initial('production')
    const { names: initial } = worlds.initialSeed
    if (initial && this.#areKnown(initial)) {
      worlds.replaceInitialSeed(await this.#prepare(initial))
    }
    const notes = new Set<string>()
    for (const world of worlds.allInitial()) {
      const { scenario, names } = world.seed
      if (!names) continue // the scenario of a client, which is in no file
      if (!this.#areKnown(names)) {
        notes.add(`the scenario ${scenario} was removed; existing worlds are unchanged`)
        continue
      }
      const seed = await this.#prepare(names)
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
    if (notes.size === 0) notes.add('scenario files reloaded; new worlds start from them')
    for (const note of notes) this.log.notice(note)
  }

  #prepare(names: readonly string[]): Promise<WorldSeed> {
    return this.files.library.prepare(names, this.sandbox.settings.platform.now())
  }

  #areKnown(names: readonly string[]): boolean {
    return names.every((name) => this.files.library.has(name))
  }

  #reject(lines: readonly string[]): void {
    for (const line of lines) this.log.error(`${line}; existing worlds are unchanged`)
  }
}

/** Whether the worlds of two seeds are equal. */
function areEqual(one: WorldSeed, other: WorldSeed): boolean {
  return JSON.stringify(toSeedDocument(one)) === JSON.stringify(toSeedDocument(other))
}
