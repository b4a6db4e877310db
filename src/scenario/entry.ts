import { readScenario } from './read.js'
import type { Scenario } from './schema.js'

/** A scenario file that was read: its JSON, and where it came from. */
export interface ScenarioFile {
  readonly file: unknown
  /** For messages, such as a path. */
  readonly source: string
}

/** A scenario that others may extend: its name, where it comes from, and what it states. */
export interface ScenarioEntry {
  readonly name: string
  readonly source: string
  readonly description: string
  /**
   * The scenario as authored.
   *
   * @throws {ScenarioError} When it does not fit the schema.
   */
  readonly read: () => Scenario
}

/** The entry of a file that comes with the sandbox: it is checked when it is first used. */
export function toBuiltInEntry(file: { name: string; description: string }): ScenarioEntry {
  let scenario: Scenario | undefined
  const source = 'built-in'
  const read = () => (scenario ??= readScenario(file, `${source} scenario ${file.name}`))
  return { name: file.name, description: file.description, source, read }
}

/**
 * The entry of a scenario from outside.
 *
 * @throws {ScenarioError} When it does not fit the schema.
 */
export function toAddedEntry({ file, source }: ScenarioFile): ScenarioEntry {
  const scenario = readScenario(file, source)
  const { name, description = '' } = scenario
  return { name, description, source, read: () => scenario }
}
