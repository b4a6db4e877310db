import { resolve } from 'node:path'
import { listScenarioFiles, readScenarioFile } from '../world/scenario/files.js'
import { type ScenarioFile, ScenarioLibrary } from '../world/scenario/library.js'
import { readScenario } from '../world/scenario/read.js'
import { toProblemLines } from './failure.js'

/** Locations of scenario files: a directory, and single files. */
export interface ScenarioLocations {
  readonly directory?: string | undefined
  readonly files?: readonly string[]
}

/** Whether the value of `--scenario` is the path of a file. */
export function isPath(scenario: string): boolean {
  return /\.json$|[\\/]/.test(scenario)
}

/** The scenarios of files, in addition to the built-in ones. */
export class ScenarioFiles {
  readonly library = new ScenarioLibrary()
  /** Contents of all files when they were last loaded, to detect changes. */
  #contents: string | undefined

  constructor(readonly locations: ScenarioLocations) {}

  /** Returns the names of scenarios. A path is replaced by the name in its file. */
  toNames(scenarios: readonly string[]): readonly string[] {
    const names = new Map(
      this.library.names().map((name) => [resolve(this.library.fileOf(name) ?? ''), name]),
    )
    return scenarios.map((each) => (isPath(each) ? (names.get(resolve(each)) ?? each) : each))
  }

  /**
   * Loads the files, or loads them again after a change. If a file is invalid, the library stays
   * unchanged.
   *
   * @returns One line for each problem; undefined if no file has changed since the last load.
   * @throws {ScenarioError} If the directory cannot be read.
   */
  async load(): Promise<readonly string[] | undefined> {
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
    const contents = JSON.stringify([files, problems])
    if (contents === this.#contents) return undefined
    this.#contents = contents
    if (problems.length > 0) return problems
    try {
      this.library.replaceAdded(files)
      return []
    } catch (error) {
      return toProblemLines(error)
    }
  }

  /** Lists the paths of all files, without duplicates. */
  async #list(): Promise<readonly string[]> {
    const { directory, files = [] } = this.locations
    const listed = directory === undefined ? [] : await listScenarioFiles(directory)
    const paths = [...listed, ...files].map((path) => [resolve(path), path] as const)
    return [...new Map(paths.toReversed()).values()].toReversed()
  }
}
