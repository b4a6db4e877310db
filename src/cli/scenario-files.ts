import { resolve } from 'node:path'
import { listScenarioFiles, readScenarioFile, readScenarioText } from '../world/scenario/files.js'
import type { ScenarioFile, ScenarioLibrary } from '../world/scenario/library.js'
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

/** Returns the names of scenarios. A path is replaced by the name in its file. */
export function toNames(scenarios: readonly string[], library: ScenarioLibrary): readonly string[] {
  const names = new Map<string, string>()
  for (const name of library.names()) {
    const file = library.fileOf(name)
    if (file !== undefined) names.set(resolve(file), name)
  }
  return scenarios.map((each) => (isPath(each) ? (names.get(resolve(each)) ?? each) : each))
}

/**
 * Returns the paths of all scenario files, without duplicates.
 *
 * @throws {ScenarioError} If the directory cannot be read.
 */
async function findScenarioFiles(locations: ScenarioLocations): Promise<readonly string[]> {
  const { directory, files = [] } = locations
  const listed = directory === undefined ? [] : await listScenarioFiles(directory)
  const known = new Set(listed.map((path) => resolve(path)))
  return [...listed, ...new Set(files.filter((file) => !known.has(resolve(file))))]
}

/** Loads scenario files into a library, and reloads them after a change. */
export class ScenarioFiles {
  /** Contents of all files when they were last loaded, to detect changes. */
  #contents: string | undefined

  constructor(
    readonly locations: ScenarioLocations,
    readonly library: ScenarioLibrary,
  ) {}

  /**
   * Replaces the scenarios that were added to the library by the scenarios of the files. If a file is
   * invalid, the library stays unchanged.
   *
   * @returns One line for each problem; undefined if no file has changed since the last load.
   * @throws {ScenarioError} If the directory cannot be read.
   */
  async load(): Promise<readonly string[] | undefined> {
    const paths = await findScenarioFiles(this.locations)
    // Read before the files are loaded, so that a change in between is detected the next time.
    const contents = JSON.stringify(await Promise.all(paths.map(readContent)))
    if (contents === this.#contents) return undefined
    this.#contents = contents
    const files: ScenarioFile[] = []
    const problems: string[] = []
    for (const path of paths) {
      const read = async () => {
        const file = await readScenarioFile(path)
        readScenario(file.file, file.source)
        files.push(file)
      }
      problems.push(...(await findProblems(read)))
    }
    if (problems.length > 0) return problems
    return findProblems(() => this.library.replaceAdded(files))
  }
}

async function readContent(path: string): Promise<readonly [string, string | null]> {
  return [path, await readScenarioText(path).catch(() => null)]
}

/** Returns the problems of the scenarios that a function reads. */
async function findProblems(read: () => void | Promise<void>): Promise<readonly string[]> {
  try {
    await read()
    return []
  } catch (error) {
    return toProblemLines(error)
  }
}
