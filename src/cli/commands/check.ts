import { stat } from 'node:fs/promises'
import type { DocumentProblem } from '../../console/scenarios/problems.js'
import { UsageError } from '../../verify/usage-error.js'
import { ScenarioError } from '../../world/scenario/error.js'
import { listScenarioFiles } from '../../world/scenario/files.js'
import { defineCommand } from '../command.js'
import { flag, scenariosOption } from '../options.js'
import { toJson } from '../render.js'
import { findScenarioProblems } from '../scenario-problems.js'

/** Validates scenario files. */
export const createCommand = defineCommand({
  name: 'check',
  description: 'Checks scenario files. Prints one line for each problem.',
  args: [['<file...>', 'Scenario files, or directories of scenario files.']],
  options: {
    directory: scenariosOption('Directory of scenario files that the files may extend.'),
    json: flag('--json', 'Prints a JSON array of {file, problems: [{message, line, column}]}.'),
  },
  notes:
    'A file can extend built-in scenarios, files in the same directory and files of --scenarios.',
  examples: ['check my-shop.json', 'check ./scenarios', 'check my-shop.json --scenarios ./shared'],
  async run({ directory, json }, { stdout }, { args }) {
    const files = (await Promise.all(args.map(listFiles))).flat()
    if (files.length === 0) throw new UsageError(`no .json file in ${args.join(', ')}`)
    const shared = directory === undefined ? [] : await listScenarioFiles(directory)
    const checked: CheckedFile[] = []
    for (const file of files) {
      const result = { file, problems: await findProblems(file, shared) }
      checked.push(result)
      if (!json) stdout.write(toText(result))
    }
    if (json) stdout.write(toJson(checked))
    const failed = checked.filter(({ problems }) => problems.length > 0).length
    if (failed > 0) throw new UsageError(`${failed} of ${checked.length} files are invalid`)
  },
})

/** What is wrong with a file. */
interface CheckedFile {
  readonly file: string
  readonly problems: readonly {
    readonly message: string
    /** From 1. Undefined if the problem has no place in the file. */
    readonly line?: number | undefined
    readonly column?: number | undefined
  }[]
}

/** Formats each problem as a line: `file:line:column: path must be …, found …`. */
function toText({ file, problems }: CheckedFile): string {
  if (problems.length === 0) return `${file}: valid\n`
  return problems
    .map(({ message, line, column }) => {
      const position = line === undefined ? '' : `:${line}:${column}`
      return `${file}${position}: ${message}\n`
    })
    .join('')
}

async function listFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? listScenarioFiles(path) : [path]
}

/** @param shared Paths of scenario files that the file may extend, besides those beside it. */
async function findProblems(
  file: string,
  shared: readonly string[],
): Promise<CheckedFile['problems']> {
  try {
    const problems = await findScenarioProblems(file, shared)
    return problems.map(({ message, place }: DocumentProblem) => {
      return { message, line: place?.line, column: place?.column }
    })
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems.map((message) => ({ message }))
    throw error
  }
}
