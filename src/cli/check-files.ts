import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../service/validation/usage-error.js'
import { listScenarioFiles, readScenarioFile } from '../world/scenario/files.js'
import { ScenarioLibrary } from '../world/scenario/library.js'
import { toProblemLines } from './failure.js'
import type { Terminal } from './terminal.js'

/**
 * Checks scenario files and their merge with the scenarios that they extend. Prints one line for
 * each problem and each valid file.
 *
 * @param paths Files, and directories of files.
 * @param directory Directory of the scenarios that the files may extend. Default: that of the file.
 * @throws {UsageError} If a file is invalid or there is none.
 */
export async function checkFiles(
  paths: readonly string[],
  directory: string | undefined,
  { stdout }: Terminal,
): Promise<void> {
  const checked = (await Promise.all(paths.map(listFiles))).flat()
  if (checked.length === 0) throw new UsageError(`no .json file in ${paths.join(', ')}`)
  let failed = 0
  for (const path of checked) {
    const problems = await checkFile(path, directory ?? dirname(path))
    if (problems.length > 0) failed += 1
    const lines = problems.length > 0 ? problems : [`${path}: valid`]
    stdout.write(lines.map((line) => `${line}\n`).join(''))
  }
  if (failed > 0) throw new UsageError(`${failed} of ${checked.length} files are invalid`)
}

async function listFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? listScenarioFiles(path) : [path]
}

/** Returns the problems of a file, alone and merged with the scenarios that it extends. */
async function checkFile(path: string, directory: string): Promise<readonly string[]> {
  const library = new ScenarioLibrary()
  const neighbours = await addNeighbours(library, path, directory)
  try {
    const { file, source } = await readScenarioFile(path)
    const name = library.add(file, source)
    const other = neighbours.sources.get(name)
    if (other) return [`${path}: name must be unique, found ${name} in ${other} as well`]
    await library.prepare(name)
    return []
  } catch (error) {
    const lines = toProblemLines(error)
    const isMissingParent = lines.some((line) => line.includes(': extends must name'))
    return isMissingParent ? [...lines, ...neighbours.problems] : lines
  }
}

interface Neighbours {
  /** Path of the file by scenario name. */
  readonly sources: ReadonlyMap<string, string>
  /** Problems of the other files, which are not added to the library. */
  readonly problems: readonly string[]
}

async function addNeighbours(
  library: ScenarioLibrary,
  path: string,
  directory: string,
): Promise<Neighbours> {
  const sources = new Map<string, string>()
  const problems: string[] = []
  for (const neighbour of await listScenarioFiles(directory)) {
    if (resolve(neighbour) === resolve(path)) continue
    try {
      const { file, source } = await readScenarioFile(neighbour)
      sources.set(library.add(file, source), source)
    } catch (error) {
      problems.push(...toProblemLines(error))
    }
  }
  return { sources, problems }
}
