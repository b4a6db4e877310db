import { createReadStream, promises as fs, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { uniqBy } from 'es-toolkit/array'
import { readErrorField } from '../../service/validation/message.js'
import { ScenarioError } from './error.js'
import type { ScenarioFile, ScenarioLibrary } from './library.js'

/**
 * Reads the JSON of a scenario file. The library validates it.
 *
 * @throws {ScenarioError} If it is not a regular file of at most 16 MiB, cannot be read, or is not
 *   JSON.
 */
export async function readScenarioFile(path: string): Promise<ScenarioFile> {
  const text = await readScenarioText(path)
  return { file: await attempt(path, 'JSON', () => readJson(text)), source: path }
}

const mebibyte = 1_048_576

/**
 * Reads the text of a scenario file, or of another file of the user.
 *
 * @throws {ScenarioError} If it is not a regular file of at most that size, or cannot be read.
 */
export async function readScenarioText(path: string, maximumMebibytes = 16): Promise<string> {
  const wanted = 'a readable file'
  const stats = await attempt(path, wanted, () => fs.stat(path))
  // Opening a pipe would wait for its other end, and reading a device may never end.
  if (!stats.isFile()) {
    throw new ScenarioError(path, [`must be a regular file, found ${describeKind(stats)}`])
  }
  // The size may have changed since, and is 0 for a file in /proc.
  const end = maximumMebibytes * mebibyte
  const bytes = await attempt(path, wanted, () => buffer(createReadStream(path, { end })))
  if (bytes.length > end) {
    const found = Math.ceil(Math.max(stats.size, bytes.length) / mebibyte)
    const problem = `must have at most ${maximumMebibytes} MiB, found ${found} MiB`
    throw new ScenarioError(path, [problem])
  }
  return bytes.toString()
}

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory'
  if (stats.isFIFO()) return 'a pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/**
 * Reads every scenario file of a directory, sorted by file name.
 *
 * @throws {ScenarioError} If the directory or a file cannot be read, or a file is not JSON.
 */
export async function readScenarioDirectory(directory: string): Promise<ScenarioFile[]> {
  const paths = await listScenarioFiles(directory)
  return Promise.all(paths.map(readScenarioFile))
}

/**
 * Lists the scenario files of a directory: all `.json` files except `.schema.json` and hidden ones.
 *
 * @throws {ScenarioError} If the directory cannot be read.
 */
export async function listScenarioFiles(directory: string): Promise<string[]> {
  const names = await attempt(directory, 'a readable directory', () => fs.readdir(directory))
  return names
    .filter((name) => /^[^.].*(?<!\.schema)\.json$/.test(name))
    .sort()
    .map((name) => join(directory, name))
}

async function attempt<T>(path: string, wanted: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const reason = readErrorField(error, 'message') ?? String(error)
    const found = reason.replace(/, \w+( '.*')?$/, '; check the path')
    throw new ScenarioError(path, [`must be ${wanted}, found ${found}`])
  }
}

/** Whether a scenario is named by the path of its file. */
export function isPath(scenario: string): boolean {
  return /\.json$|[\\/]/.test(scenario)
}

/** The scenarios of a directory and of single files, which a library has in addition to its own. */
export class ScenarioFiles {
  /** What was loaded last, to detect changes. */
  #loaded: string | undefined

  constructor(
    readonly library: ScenarioLibrary,
    readonly directory: string | undefined,
    readonly files: readonly string[] = [],
  ) {}

  /** Returns the names of scenarios. A path is replaced by the name in its file. */
  toNames(scenarios: readonly string[]): readonly string[] {
    const { library } = this
    const find = (path: string) =>
      library.names().find((name) => resolve(library.fileOf(name) ?? '') === resolve(path))
    return scenarios.map((each) => (isPath(each) ? (find(each) ?? each) : each))
  }

  /**
   * Loads the files, or loads them again after a change. If a file is invalid, the library stays
   * unchanged.
   *
   * @returns Whether a file has changed since the last load.
   * @throws {ScenarioError} If the directory or a file cannot be read, or a file is invalid.
   */
  async load(): Promise<boolean> {
    const { directory } = this
    const listed = directory === undefined ? [] : await listScenarioFiles(directory)
    const paths = uniqBy([...listed, ...this.files], (path) => resolve(path))
    const texts = await Promise.all(paths.map((path) => readScenarioText(path)))
    const loaded = JSON.stringify([paths, texts])
    if (loaded === this.#loaded) return false
    this.#loaded = loaded
    const files: ScenarioFile[] = []
    for (const path of paths) files.push(await readScenarioFile(path))
    this.library.replaceAdded(files)
    return true
  }
}

/**
 * Parses JSON, with or without a byte order mark.
 *
 * @throws {SyntaxError} If it is not JSON; the message states line, column and reason.
 */
export async function readJson(text: string): Promise<unknown> {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SyntaxError(await describeError(json, reason))
  }
}

/**
 * Adds line and column to the message of JSON.parse, which has an offset. For an unexpected character,
 * it has none: only then, the parser that finds the position is loaded.
 */
async function describeError(json: string, reason: string): Promise<string> {
  const [, message, offset] = /^(.+?) in JSON at position (\d+)/.exec(reason) ?? []
  if (message) return describeAt(json, Number(offset), message)
  if (reason === 'Unexpected end of JSON input') {
    return describeAt(json, json.length, 'Unexpected end of input')
  }
  const { parse } = await import('@humanwhocodes/momoa')
  try {
    parse(json)
  } catch (error) {
    if (!(error instanceof Error && 'offset' in error)) return reason
    const at = Number(error.offset)
    // The message of momoa ends with the position, and has the name of its token.
    const text = error.message.replace(/ \(\d+:\d+\)$/, '').replace(/token \w+/, `'${json[at]}'`)
    return describeAt(json, at, text)
  }
  return reason
}

function describeAt(json: string, offset: number, reason: string): string {
  const lines = json.slice(0, offset).split(/\r\n?|\n/)
  const column = (lines.at(-1)?.length ?? 0) + 1
  return `line ${lines.length}, column ${column}: ${reason.replace(/\.$/, '')}`
}
