import { type Int64, isInt64 } from '../../contract/int64.js'
import { readJson, readScenarioFile } from '../../scenario/files.js'
import { CliError } from '../cli-error.js'
import { parseJson } from './parse-json.js'

/**
 * Reads JSON that stands in an argument, or in the file that it names.
 *
 * @param what What the argument is called in a message.
 * @throws {CliError | ScenarioError} When it is none, or the file cannot be read.
 */
export async function readJsonArgument(text: string, what: string): Promise<unknown> {
  if (!/^\s*[[{]/.test(text)) return (await readScenarioFile(text)).file
  try {
    return await readJson(text)
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    throw new CliError(`${what} must be JSON or a file of it, found ${found}`)
  }
}

/**
 * Reads the fields of a record: `name=value` each, or one JSON object, or a .json file of one.
 *
 * @throws {CliError | ScenarioError} When an argument is neither.
 */
export async function readFields(args: readonly string[]): Promise<unknown> {
  const [first = ''] = args
  const isWhole = args.length === 1 && /^\s*[[{]|^[^=]+\.json$/.test(first)
  return isWhole ? readJsonArgument(first, 'fields') : Object.fromEntries(args.map(readField))
}

function readField(text: string): [name: string, value: unknown] {
  const equals = text.indexOf('=')
  if (equals > 0) return [text.slice(0, equals), readValue(text.slice(equals + 1))]
  const wanted = 'name=value, a JSON object or a .json file'
  throw new CliError(`a field must be ${wanted}, found ${JSON.stringify(text)}`)
}

/** What is no JSON is text; so is a whole number that is not exact as one: an id past 2^53−1. */
function readValue(text: string): unknown {
  if (/^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))) return text
  const value = parseJson(text)
  return value === undefined ? text : value
}

/**
 * Reads an id that is to stand in a path.
 *
 * @throws {CliError} When it is no int64: `..` would call another operation.
 */
export function readId(name: string, text = ''): Int64 {
  if (isInt64(text)) return text
  const wanted = 'an int64 in canonical decimal such as 7'
  throw new CliError(`${name} must be ${wanted}, found ${JSON.stringify(text)}`)
}
