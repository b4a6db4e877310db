import { basename, resolve } from 'node:path'
import { difference, uniq, without } from 'es-toolkit/array'
import {
  type DocumentProblem,
  findSyntaxProblems,
  locateEach,
} from '../console/scenarios/problems.js'
import { kindNames, recordKinds, withArticle } from '../service/records.js'
import { recordModels } from '../service/schemas.js'
import { maximumMismatches } from '../service/validation/message.js'
import { findMisspeltName, suggestName } from '../service/validation/nearest-name.js'
import { isPlainObject } from '../service/validation/options.js'
import { describeValue } from '../service/validation/validate.js'
import { ScenarioError } from '../world/scenario/error.js'
import { listScenarioFiles, readScenarioFile, readScenarioText } from '../world/scenario/files.js'
import { ScenarioLibrary } from '../world/scenario/library.js'
import { readScenario } from '../world/scenario/read.js'

/**
 * Returns the problems of a scenario file in their order, alone and merged with the scenarios that it
 * extends. Excludes the problems of the extended scenarios.
 *
 * @param directories Directories of the scenarios that the file may extend.
 * @throws {ScenarioError} If the file or a directory cannot be read.
 */
export async function findScenarioProblems(
  path: string,
  directories: readonly string[],
): Promise<readonly DocumentProblem[]> {
  const text = (await readScenarioText(path)).replace(/^\uFEFF/, '')
  const syntax = findSyntaxProblems(text)
  if (syntax.some(({ isWarning }) => !isWarning)) {
    return syntax.map((problem) => ({ ...problem, message: `must be JSON, ${problem.message}` }))
  }
  const value: unknown = JSON.parse(text)
  const others = await readOthers(path, directories)
  const invalid = await listProblems(() => readScenario(value, 'scenario'))
  const misspelt = findMisspeltFields(value).slice(0, maximumMismatches)
  const own = [...invalid, ...misspelt, ...findNameProblems(value, others)]
  const merged = await findMergeProblems(value, own, others)
  const problems = [...syntax, ...locateEach(text, [...own, ...merged])]
  const sorted = problems.toSorted((a, b) => (a.place?.start ?? 0) - (b.place?.start ?? 0))
  const isCut = Math.max(invalid.length, misspelt.length) === maximumMismatches
  return isCut ? [...sorted, { message: cutNote }] : sorted
}

const cutNote = `at most ${maximumMismatches} problems of a kind are listed; there may be more`

/** The other scenario files of the directories. */
interface OtherFiles {
  /** Contains the valid ones. */
  readonly library: ScenarioLibrary
  /** By name of the scenario. */
  readonly files: ReadonlyMap<string, { readonly path: string; readonly isValid: boolean }>
}

async function readOthers(path: string, directories: readonly string[]): Promise<OtherFiles> {
  const library = new ScenarioLibrary()
  const files = new Map<string, { path: string; isValid: boolean }>()
  const listed = (await Promise.all(directories.map(listScenarioFiles))).flat()
  const paths = new Map(listed.map((file) => [resolve(file), file]))
  paths.delete(resolve(path))
  for (const other of paths.values()) {
    let name = basename(other, '.json')
    const problems = await listProblems(async () => {
      const { file } = await readScenarioFile(other)
      name = nameOf(file) ?? name
      library.add(file, other)
    })
    files.set(name, { path: other, isValid: problems.length === 0 })
  }
  return { library, files }
}

function nameOf(value: unknown): string | undefined {
  return isPlainObject(value) && typeof value.name === 'string' ? value.name : undefined
}

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
function findMisspeltFields(value: unknown): readonly string[] {
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

function findNameProblems(value: unknown, { files }: OtherFiles): readonly string[] {
  const name = nameOf(value) ?? ''
  const other = files.get(name)
  if (!other?.isValid) return []
  const step =
    name === 'snapshot' ? '; world snapshot --name NAME exports it with another name' : ''
  return [`name must be unique, found ${name} in ${other.path} as well${step}`]
}

/**
 * Finds extended scenarios that are unknown, or invalid by themselves.
 *
 * @param parents Names of the extended scenarios.
 * @param own Name of the checked scenario in the library.
 */
async function findParentProblems(
  parents: string | readonly string[],
  own: string,
  { library, files }: OtherFiles,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [index, name] of [parents].flat().entries()) {
    const path = typeof parents === 'string' ? 'extends' : `extends[${index}]`
    const file = files.get(name)
    if (!file && !library.has(name)) {
      const known = without(uniq([...library.names(), ...files.keys()]), own)
      const hint = suggestName(name, known)
      problems.push(`${path} must name a known scenario, found ${describeValue(name)}${hint}`)
    } else if (file && (!file.isValid || (await isInvalid(name, library)))) {
      const found = `${JSON.stringify(name)}; see petstore-sandbox check ${file.path}`
      problems.push(`${path} must name a valid scenario, found ${found}`)
    }
  }
  return problems
}

/** Whether a scenario cannot be used. A cycle through the checked file is a problem of that file. */
async function isInvalid(name: string, library: ScenarioLibrary): Promise<boolean> {
  const problems = await listProblems(() => library.prepare(name))
  const isCycle = problems.some((problem) => problem.startsWith('extends must not form a cycle'))
  return problems.length > 0 && !isCycle
}

/** The fields on which the problems of another field depend. */
const inputs: Readonly<Record<string, readonly string[]>> = {
  quota: ['apiKeys', 'clock'],
  generate: ['pets', 'orders'],
  deprecation: ['clock'],
}

/**
 * Finds problems of the extended scenarios, and of values that depend on each other.
 *
 * @param own Problems of the file. The fields that have them are left out.
 */
async function findMergeProblems(
  value: unknown,
  own: readonly string[],
  others: OtherFiles,
): Promise<readonly string[]> {
  if (!isPlainObject(value)) return []
  const { library } = others
  const invalid = new Set(own.map(toField))
  const fields = Object.entries(value).filter(([field]) => !invalid.has(field))
  const name = library.add({ name: 'checked', ...Object.fromEntries(fields) }, 'scenario')
  if (invalid.has('extends')) return []
  const parents = value.extends as string | readonly string[] | undefined // it is valid
  const unusable = await findParentProblems(parents ?? [], name, others)
  if (unusable.length > 0) return unusable
  const problems = await listProblems(() => library.prepare(name))
  return problems.filter(
    (problem) => !inputs[toField(problem)]?.some((field) => invalid.has(field)),
  )
}

/** Returns the field of the scenario that a problem names. */
function toField(problem: string): string {
  return /^[\w$-]*/.exec(problem)?.[0] ?? ''
}
