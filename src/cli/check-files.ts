import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { listScenarioFiles, readScenarioFile } from '../scenario/files.js'
import { ScenarioLibrary } from '../scenario/library.js'
import { CliError } from './cli-error.js'
import { toProblemLines } from './failure.js'
import type { Terminal } from './terminal.js'

/**
 * Checks scenario files with all that they extend, and prints a line for each place that does not
 * fit, or one for a file that does.
 *
 * @param paths Files, and directories of them.
 * @param directory Where else to look for what they extend.
 * @throws {CliError} When one does not fit.
 */
export async function checkFiles(
  paths: readonly string[],
  directory: string | undefined,
  { stdout }: Terminal,
): Promise<void> {
  const checked = (await Promise.all(paths.map(listFiles))).flat()
  if (checked.length === 0) throw new CliError(`no .json file in ${paths.join(', ')}`)
  let failed = 0
  for (const path of checked) {
    const problems = await checkFile(path, directory ?? dirname(path))
    if (problems.length > 0) failed += 1
    const lines = problems.length > 0 ? problems : [`${path}: fits`]
    stdout.write(lines.map((line) => `${line}\n`).join(''))
  }
  if (failed > 0) throw new CliError(`${failed} of ${checked.length} files do not fit`)
}

async function listFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? listScenarioFiles(path) : [path]
}

/** One line for each place where the file, alone or with what it extends, does not fit. */
async function checkFile(path: string, directory: string): Promise<readonly string[]> {
  const library = new ScenarioLibrary()
  const neighbours = await addNeighbours(library, path, directory)
  try {
    const { file, source } = await readScenarioFile(path)
    const name = library.add(file, source)
    const twin = neighbours.sources.get(name)
    if (twin) return [`${path}: name must be of one file only, found ${name} in ${twin}`]
    await library.prepare(name)
    return []
  } catch (error) {
    const lines = toProblemLines(error)
    const isMissingParent = lines.some((line) => line.includes(': extends must name'))
    return isMissingParent ? [...lines, ...neighbours.problems] : lines
  }
}

interface Neighbours {
  /** The file of each name. */
  readonly sources: ReadonlyMap<string, string>
  /** What does not fit in the others; they are left out. */
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
