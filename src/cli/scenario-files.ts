import { resolve } from 'node:path'
import { uniqBy } from 'es-toolkit/array'
import { listScenarioFiles, readScenarioFile } from '../world/scenario/files.js'
import { type ScenarioFile, ScenarioLibrary } from '../world/scenario/library.js'
import { readScenario } from '../world/scenario/read.js'
import { FilesError, toProblemLines } from './failure.js'

/** Whether the value of `--scenario` is the path of a file. */
export function isPath(scenario: string): boolean {
  return /\.json$|[\\/]/.test(scenario)
}

/** The scenarios of a directory and of single files, in addition to the built-in ones. */
export class ScenarioFiles {
  readonly library = new ScenarioLibrary()
  /** What was loaded last, to detect changes. */
  #loaded: string | undefined

  constructor(
    readonly directory: string | undefined,
    readonly files: readonly string[] = [],
  ) {}

  /** Returns the names of scenarios. A path is replaced by the name in its file. */
  toNames(scenarios: readonly string[]): readonly string[] {
    const { library } = this
    const names = new Map(
      library.names().map((name) => [resolve(library.fileOf(name) ?? ''), name]),
    )
    return scenarios.map((each) => (isPath(each) ? (names.get(resolve(each)) ?? each) : each))
  }

  /**
   * Loads the files, or loads them again after a change. If a file is invalid, the library stays
   * unchanged.
   *
   * @returns Whether a file has changed since the last load.
   * @throws {FilesError} If a file is invalid.
   * @throws {ScenarioError} If the directory cannot be read.
   */
  async load(): Promise<boolean> {
    const files: ScenarioFile[] = []
    const problems: string[] = []
    for (const path of await this.#list()) {
      try {
        const file = await readScenarioFile(path)
        files.push(file)
        readScenario(file.file, path)
      } catch (error) {
        problems.push(...toProblemLines(error))
      }
    }
    const loaded = JSON.stringify([files, problems])
    if (loaded === this.#loaded) return false
    this.#loaded = loaded
    if (problems.length > 0) throw new FilesError(problems)
    try {
      this.library.replaceAdded(files)
    } catch (error) {
      throw new FilesError(toProblemLines(error))
    }
    return true
  }

  /** Lists the paths of all files, without duplicates. */
  async #list(): Promise<readonly string[]> {
    const { directory, files } = this
    const listed = directory === undefined ? [] : await listScenarioFiles(directory)
    return uniqBy([...listed, ...files], (path) => resolve(path))
  }
}
