import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { difference, uniqBy } from 'es-toolkit/array'
import { type DocumentProblem, findProblems } from '../../console/scenarios/problems.js'
import { parseJson } from '../../service/json.js'
import { kindNames, recordKinds, withArticle } from '../../service/records.js'
import { recordModels } from '../../service/schemas.js'
import { maximumMismatches } from '../../service/validation/message.js'
import { findMisspeltName } from '../../service/validation/nearest-name.js'
import { isPlainObject } from '../../service/validation/options.js'
import { UsageError } from '../../verify/usage-error.js'
import { ScenarioError } from '../../world/scenario/error.js'
import {
  listScenarioFiles,
  readScenarioFile,
  readScenarioText,
} from '../../world/scenario/files.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { readScenario } from '../../world/scenario/read.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { defineCommand } from '../command.js'
import { flag, scenariosOption } from '../options.js'
import { toJson } from '../render.js'

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
    const checked: object[] = []
    let failed = 0
    for (const file of files) {
      const found = await findFileProblems(file, shared)
      if (found.length > 0) failed += 1
      if (!json) stdout.write(toText(file, found))
      // A problem without a place in the file has no line.
      const problems = found.map(({ message, place: { line, column } = {} }) => {
        return { message, line, column }
      })
      checked.push({ file, problems })
    }
    if (json) stdout.write(toJson(checked))
    if (failed > 0) throw new UsageError(`${failed} of ${files.length} files are invalid`)
  },
})

/** Formats each problem as a line: `file:line:column: path must be …, found …`. */
function toText(file: string, problems: readonly DocumentProblem[]): string {
  if (problems.length === 0) return `${file}: valid\n`
  const lines = problems.map(({ message, place }) => {
    const position = place ? `:${place.line}:${place.column}` : ''
    return `${file}${position}: ${message}\n`
  })
  return lines.join('')
}

async function listFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? listScenarioFiles(path) : [path]
}

/**
 * Returns the problems of a scenario file: why it cannot be read or is not JSON, otherwise which
 * fields are invalid, otherwise why it cannot be merged with the scenarios that it extends.
 *
 * @param shared Paths of the scenario files that it may extend, in addition to those beside it.
 */
async function findFileProblems(
  path: string,
  shared: readonly string[],
): Promise<readonly DocumentProblem[]> {
  let text = ''
  const unreadable = await listProblems(async () => {
    text = (await readScenarioText(path)).replace(/^\uFEFF/, '')
  })
  if (unreadable.length > 0) return unreadable.map((message) => ({ message }))
  const value = parseJson(text)
  if (value === undefined) {
    return findProblems(text).map((each) => ({ ...each, message: `must be JSON, ${each.message}` }))
  }
  const own = [...(await listProblems(() => readScenario(value, path))), ...findMisspelt(value)]
  // It is a valid scenario if it has no problems of its own.
  const found = own.length > 0 ? own : await findMergeProblems(value as Scenario, path, shared)
  const shown = found.slice(0, maximumMismatches)
  const problems = findProblems(text, shown)
  return shown.length < maximumMismatches ? problems : [...problems, { message: cutNote }]
}

const cutNote = `at most ${maximumMismatches} problems are listed; there may be more`

/** Returns the problems of the scenario that a function reads. */
async function listProblems(read: () => unknown): Promise<readonly string[]> {
  try {
    await read()
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems
    throw error
  }
}

/** Finds additional fields of records whose names resemble missing fields. */
function findMisspelt(value: unknown): readonly string[] {
  if (!isPlainObject(value)) return []
  return kindNames.flatMap((name) => {
    const list = value[name]
    if (!Array.isArray(list)) return []
    const kind = withArticle(recordKinds[name].noun)
    const known = Object.keys(recordModels[name].schema.shape)
    return list.filter(isPlainObject).flatMap((record: object, index) => {
      const missing = known.filter((field) => !Object.hasOwn(record, field))
      return difference(Object.keys(record), known).flatMap((field) => {
        const meant = findMisspeltName(field, missing)
        if (meant === undefined) return []
        return [`${name}[${index}].${field} is not a field of ${kind}; did you mean "${meant}"?`]
      })
    })
  })
}

/** Finds problems of the name, of the extended scenarios, and of the merged values. */
async function findMergeProblems(
  scenario: Scenario,
  path: string,
  shared: readonly string[],
): Promise<readonly string[]> {
  const { name } = scenario
  const paths = [path, ...(await listScenarioFiles(dirname(path))), ...shared]
  const [, ...others] = uniqBy(paths, (each) => resolve(each))
  const library = new ScenarioLibrary()
  const invalid: string[] = []
  for (const other of others) {
    const add = async () => library.add((await readScenarioFile(other)).file, other)
    if ((await listProblems(add)).length > 0) invalid.push(other)
  }
  const twin = library.fileOf(name)
  if (twin !== undefined) {
    const step = '; world snapshot --name NAME exports it with another name'
    const advice = name === 'snapshot' ? step : ''
    return [`name must be unique, found ${name} in ${twin} as well${advice}`]
  }
  library.add(scenario, path)
  for (const parent of [scenario.extends ?? []].flat()) {
    const file = library.fileOf(parent)
    const [problem] = file === undefined ? [] : await listProblems(() => library.prepare(parent))
    // An unknown scenario, or a cycle, is a problem of this scenario as well.
    if (!problem || problem.startsWith('extends must')) continue
    const found = JSON.stringify(parent)
    return [`extends must name valid scenarios, found ${found}; see petstore-sandbox check ${file}`]
  }
  const problems = await listProblems(() => library.prepare(name))
  const [first = ''] = problems
  // The directory may have other JSON files, such as package.json.
  const named = invalid.filter((other) =>
    first.startsWith(`extends must name known scenarios, found "${basename(other, '.json')}"`),
  )
  return [...problems, ...named.map((other) => `the file ${other} is invalid; check it first`)]
}
