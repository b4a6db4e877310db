import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../service/validation/usage-error.js'
import { listScenarioFiles } from '../world/scenario/files.js'
import { toProblemLines } from './failure.js'
import { findScenarioProblems } from './scenario-problems.js'
import type { Terminal } from './terminal.js'

/**
 * Checks scenario files and their merge with the scenarios that they extend. Prints one line for
 * each problem and each valid file.
 *
 * @param paths Files, and directories of files.
 * @param directory Directory of scenarios that the files may extend, besides those of their own.
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
    const problems = await checkFile(path, directory)
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

/** Returns one line for each problem of a file: `file:line:column: path must be …, found …`. */
async function checkFile(path: string, directory: string | undefined): Promise<readonly string[]> {
  const directories = [dirname(path), ...(directory === undefined ? [] : [directory])]
  try {
    const problems = await findScenarioProblems(path, directories)
    return problems.map(({ message, place }) => {
      const position = place ? `:${place.line}:${place.column}` : ''
      return `${path}${position}: ${message}`
    })
  } catch (error) {
    return toProblemLines(error)
  }
}
