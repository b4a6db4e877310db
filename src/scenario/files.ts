import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScenarioFile } from './entry.js'
import { readJson } from './json.js'
import { ScenarioError } from './scenario-error.js'

/**
 * Reads the JSON of a scenario file; the library that it is added to checks what it says.
 *
 * @throws {ScenarioError} When it cannot be read or is no JSON.
 */
export async function readScenarioFile(path: string): Promise<ScenarioFile> {
  const text = await attempt(path, 'a file that can be read', () => readFile(path, 'utf8'))
  return { file: await attempt(path, 'JSON', () => readJson(text)), source: path }
}

/**
 * Reads every scenario file of a directory, in the order of their names.
 *
 * @throws {ScenarioError} When the directory or one of its files cannot be read or is no JSON.
 */
export async function readScenarioDirectory(directory: string): Promise<ScenarioFile[]> {
  const paths = await listScenarioFiles(directory)
  return Promise.all(paths.map(readScenarioFile))
}

/**
 * The paths of a directory's scenario files: all that end in `.json`, schemas for editors
 * (`.schema.json`) and hidden files aside.
 *
 * @throws {ScenarioError} When the directory cannot be read.
 */
export async function listScenarioFiles(directory: string): Promise<string[]> {
  const wanted = 'a directory that can be read'
  const names = await attempt(directory, wanted, () => readdir(directory))
  return names
    .filter((name) => /^[^.].*(?<!\.schema)\.json$/.test(name))
    .sort()
    .map((name) => join(directory, name))
}

async function attempt<T>(path: string, wanted: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const found = error instanceof Error ? error.message.replace(/, \w+( '.*')?$/, '') : 'none'
    throw new ScenarioError(path, [`must be ${wanted}, found ${found}`])
  }
}
