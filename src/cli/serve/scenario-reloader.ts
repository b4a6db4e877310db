import type { Sandbox } from '../../sandbox/sandbox.js'
import { isEqualData } from '../../scenario/equal-data.js'
import type { WorldSeed } from '../../world/seed.js'
import { toProblemLines } from '../failure.js'
import type { ScenarioFiles } from '../scenario-files.js'
import type { ServeLog } from './log.js'

/**
 * Takes over scenario files that changed: all of them or none. The initial worlds start again when
 * what they start from is another; every other world goes on as it is.
 */
export class ScenarioReloader {
  #running = Promise.resolve()

  constructor(
    readonly files: ScenarioFiles,
    readonly sandbox: Sandbox,
    readonly log: ServeLog,
  ) {}

  /** Reads the files again, one time after the other. Never rejects. */
  reload(): Promise<void> {
    const fail = (error: unknown) => this.#fail(toProblemLines(error))
    this.#running = this.#running
      .then(() => this.#reload())
      .catch(fail)
      .catch((error) => this.sandbox.reportError(error))
    return this.#running
  }

  async #reload(): Promise<void> {
    const problems = await this.files.load()
    if (problems === undefined) return
    if (problems.length > 0) return this.#fail(problems)
    const { library } = this.files
    const begun = this.sandbox.initialSeed.scenario.split('+')
    if (begun.every((name) => library.has(name))) {
      this.sandbox.replaceInitialSeed(await library.prepare(begun))
    }
    const { scenario, seed } = this.sandbox.initialWorld('production')
    const names = scenario.split('+')
    if (!names.every((name) => library.has(name))) {
      this.log.noted(`the scenario ${scenario} is gone; the worlds that run stay as they are`)
    } else if (isSameStart(seed, await library.prepare(names))) {
      this.log.noted('scenario files read again; worlds that are made from now start from them')
    } else {
      await this.sandbox.use(names)
      this.log.noted(`the scenario ${scenario} changed; the initial worlds start again from it`)
    }
  }

  #fail(lines: readonly string[]): void {
    for (const line of lines) this.log.failed(`${line}; the worlds that run stay as they are`)
  }
}

function isSameStart(one: WorldSeed, other: WorldSeed): boolean {
  return isEqualData(toData(one), toData(other))
}

/** The rules hold a schema that is made from them. */
function toData({ rules, ...rest }: WorldSeed): unknown {
  const { inventoryUpdateSchema: _, ...settings } = rules
  return { ...rest, rules: settings }
}
