import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../../verify/usage-error.js'
import { ScenarioError } from '../../world/scenario/error.js'
import { listScenarioFiles } from '../../world/scenario/files.js'
import { defineCommand } from '../command.js'
import { flag, scenariosOption } from '../options.js'
import { toJson } from '../render.js'
import type { Terminal } from '../terminal.js'

/** Validates scenario files. */
export const check = defineCommand({
  name: 'check',
  description: 'Checks scenario files. Prints one line for each problem.',
  args: [['<file...>', 'Scenario files, or directories of scenario files.']],
  options: {
    scenarios: scenariosOption('Directory of scenario files that the files may extend.'),
    json: flag('--json', 'Prints a JSON array of {file, problems: [{message, line, column}]}.'),
  },
  notes:
    'A file can extend built-in scenarios, files in the same directory and files of --scenarios.',
  examples: ['check my-shop.json', 'check ./scenarios', 'check my-shop.json --scenarios ./shared'],
  run: (values, terminal, { args }) => checkFiles(args, values, terminal),
})

/** What is wrong with a file. */
interface CheckedFile {
  readonly file: string
  readonly problems: readonly {
    readonly message: string
    /** The file or scenario with the problem, if the file itself could not be checked. */
    readonly file?: string
    /** From 1. Undefined if the problem has no place in the file. */
    readonly line?: number
    readonly column?: number
  }[]
}

/**
 * Checks scenario files and their merge with the scenarios that they extend. Prints one line for
 * each problem and each valid file.
 *
 * @param paths Files, and directories of files.
 * @throws {UsageError} If a file is invalid or there is none.
 */
async function checkFiles(
  paths: readonly string[],
  { scenarios, json }: { readonly scenarios: string | undefined; readonly json: boolean },
  { stdout }: Terminal,
): Promise<void> {
  const found = (await Promise.all(paths.map(listFiles))).flat()
  if (found.length === 0) throw new UsageError(`no .json file in ${paths.join(', ')}`)
  const checked: CheckedFile[] = []
  for (const file of found) {
    const result = { file, problems: await findProblems(file, scenarios) }
    checked.push(result)
    if (!json) stdout.write(toText(result))
  }
  if (json) stdout.write(toJson(checked))
  const failed = checked.filter(({ problems }) => problems.length > 0).length
  if (failed > 0) throw new UsageError(`${failed} of ${checked.length} files are invalid`)
}

/** Formats each problem as a line: `file:line:column: path must be …, found …`. */
function toText({ file, problems }: CheckedFile): string {
  if (problems.length === 0) return `${file}: valid\n`
  return problems
    .map(({ file: other = file, message, line, column }) => {
      const position = line === undefined ? '' : `:${line}:${column}`
      return `${other}${position}: ${message}\n`
    })
    .join('')
}

async function listFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? listScenarioFiles(path) : [path]
}

async function findProblems(
  file: string,
  directory: string | undefined,
): Promise<CheckedFile['problems']> {
  const { findScenarioProblems } = await import('../scenario-problems.js')
  const directories = [dirname(file), ...(directory === undefined ? [] : [directory])]
  try {
    const problems = await findScenarioProblems(file, directories)
    return problems.map(({ message, place }) => ({
      message,
      ...(place && { line: place.line, column: place.column }),
    }))
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    const { source, file: other = source } = error
    return error.problems.map((message) => ({ file: other, message }))
  }
}
