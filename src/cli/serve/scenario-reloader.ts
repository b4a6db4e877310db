import { isDeepStrictEqual } from 'node:util'
import type { World } from '../../control/world.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { listShared } from '../../world/database/database.js'
import type { WorldSeed } from '../../world/seed.js'
import { toProblemLines } from '../failure.js'
import type { ScenarioFiles } from '../scenario-files.js'
import type { ServeLog } from './log.js'

/**
 * Applies changed scenario files: all of them, or none if one is invalid. An initial world restarts
 * if its own scenario changed; all other worlds keep running.
 */
export class ScenarioReloader {
  #running = Promise.resolve()

  constructor(
    readonly files: ScenarioFiles,
    readonly sandbox: Sandbox,
    readonly log: ServeLog,
  ) {}

  /** Reloads the files, after any reload in progress. Never rejects. */
  reload(): Promise<void> {
    const fail = (error: unknown) => this.#fail(toProblemLines(error))
    this.#running = this.#running
      .then(() => this.#reload())
      .catch(fail)
      .catch((error) => this.sandbox.settings.platform.reportError(error))
    return this.#running
  }

  async #reload(): Promise<void> {
    const problems = await this.files.load()
    if (problems === undefined) return
    if (problems.length > 0) return this.#fail(problems)
    // Creates the world from the old files if necessary, so that the log reports the change.
    this.sandbox.worlds.initial('production')
    await this.#replaceInitialSeed()
    const changed = new Set<string>()
    const removed = new Set<string>()
    for (const world of this.sandbox.worlds.allInitial()) {
      const { scenario, names } = world.seed
      // The scenario of a client is in no file.
      if (!names) continue
      if (!this.#areKnown(names)) removed.add(scenario)
      else if (await this.#restartIfChanged(world, names)) changed.add(scenario)
    }
    this.#note(changed, removed)
  }

  async #replaceInitialSeed(): Promise<void> {
    const { names } = this.sandbox.worlds.initialSeed
    if (names && this.#areKnown(names)) {
      this.sandbox.worlds.replaceInitialSeed(await this.#prepare(names))
    }
  }

  async #restartIfChanged(world: World, names: readonly string[]): Promise<boolean> {
    const seed = await this.#prepare(names)
    // Another replica may have restarted the world meanwhile.
    return this.sandbox.worlds.execute(world, () => {
      if (isDeepStrictEqual(toData(world.seed), toData(seed))) return false
      const isOwn = seed.scenario === this.sandbox.worlds.initialSeed.scenario
      if (isOwn) world.start(seed)
      else world.replace(seed)
      return true
    })
  }

  #prepare(names: readonly string[]): Promise<WorldSeed> {
    return this.files.library.prepare(names, this.sandbox.settings.platform.now())
  }

  #areKnown(names: readonly string[]): boolean {
    return names.every((name) => this.files.library.has(name))
  }

  #note(changed: ReadonlySet<string>, removed: ReadonlySet<string>): void {
    for (const scenario of removed) {
      this.log.notice(`the scenario ${scenario} was removed; existing worlds are unchanged`)
    }
    for (const scenario of changed) {
      this.log.notice(`the scenario ${scenario} has changed; its initial worlds were restarted`)
    }
    if (removed.size + changed.size > 0) return
    this.log.notice('scenario files reloaded; new worlds start from them')
  }

  #fail(lines: readonly string[]): void {
    for (const line of lines) this.log.error(`${line}; existing worlds are unchanged`)
  }
}

/** Returns the seed as plain data, without what is derived from it. */
function toData({ rules, records, names: _names, bytes: _bytes, ...rest }: WorldSeed): unknown {
  const { inventoryUpdateSchema: _, ...settings } = rules
  return { ...rest, rules: settings, records: listShared(records) }
}
