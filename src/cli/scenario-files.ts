import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { listScenarioFiles, readScenarioFile } from '../scenario/files.js'
import type { ScenarioFile, ScenarioLibrary } from '../scenario/library.js'
import { readScenario } from '../scenario/read.js'
import { toProblemLines } from './failure.js'

/** Where scenario files are: those of a directory, and single ones. */
export interface ScenarioPlaces {
  readonly directory?: string | undefined
  readonly files?: readonly string[]
}

/**
 * The paths of all scenario files, each once.
 *
 * @throws {ScenarioError} When the directory cannot be read.
 */
async function findScenarioFiles(places: ScenarioPlaces): Promise<readonly string[]> {
  const { directory, files = [] } = places
  const listed = directory === undefined ? [] : await listScenarioFiles(directory)
  const known = new Set(listed.map((path) => resolve(path)))
  return [...listed, ...new Set(files.filter((file) => !known.has(resolve(file))))]
}

/** The scenario files at some places, which a library takes over, and again when they changed. */
export class ScenarioFiles {
  /** The files as they were when they were last read. */
  #texts: string | undefined

  constructor(
    readonly places: ScenarioPlaces,
    readonly library: ScenarioLibrary,
  ) {}

  /**
   * Replaces what was added to the library by the files: by all of them, or by none when one does
   * not fit.
   *
   * @returns One line for each place where a file does not fit, none when all do; undefined when
   * nothing changed since the last time.
   * @throws {ScenarioError} When the directory cannot be read.
   */
  async load(): Promise<readonly string[] | undefined> {
    const paths = await findScenarioFiles(this.places)
    // Read before the files are: what changes meanwhile is found the next time.
    const texts = JSON.stringify(await Promise.all(paths.map(readText)))
    if (texts === this.#texts) return undefined
    this.#texts = texts
    const { files, problems } = await readFiles(paths)
    return problems.length > 0 ? problems : replaceAdded(this.library, files)
  }
}

async function readText(path: string): Promise<readonly [string, string | null]> {
  return [path, await readFile(path, 'utf8').catch(() => null)]
}

async function readFiles(paths: readonly string[]) {
  const files: ScenarioFile[] = []
  const problems: string[] = []
  for (const path of paths) {
    try {
      const file = await readScenarioFile(path)
      readScenario(file.file, file.source)
      files.push(file)
    } catch (error) {
      problems.push(...toProblemLines(error))
    }
  }
  return { files, problems }
}

function replaceAdded(library: ScenarioLibrary, files: readonly ScenarioFile[]): readonly string[] {
  try {
    library.replaceAdded(files)
    return []
  } catch (error) {
    return toProblemLines(error)
  }
}
