import { resolve } from 'node:path'
import { uniqBy } from 'es-toolkit/array'
import { listScenarioFiles, readScenarioFile, readScenarioText } from '../world/scenario/files.js'
import { type ScenarioFile, ScenarioLibrary } from '../world/scenario/library.js'

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
    const find = (path: string) =>
      library.names().find((name) => resolve(library.fileOf(name) ?? '') === resolve(path))
    return scenarios.map((each) => (isPath(each) ? (find(each) ?? each) : each))
  }

  /**
   * Loads the files, or loads them again after a change. If a file is invalid, the library stays
   * unchanged.
   *
   * @returns Whether a file has changed since the last load.
   * @throws {ScenarioError} If the directory or a file cannot be read, or a file is invalid.
   */
  async load(): Promise<boolean> {
    const { directory } = this
    const listed = directory === undefined ? [] : await listScenarioFiles(directory)
    const paths = uniqBy([...listed, ...this.files], (path) => resolve(path))
    const texts = await Promise.all(paths.map((path) => readScenarioText(path)))
    const loaded = JSON.stringify([paths, texts])
    if (loaded === this.#loaded) return false
    this.#loaded = loaded
    const files: ScenarioFile[] = []
    for (const path of paths) files.push(await readScenarioFile(path))
    this.library.replaceAdded(files)
    return true
  }
}
