import { resolve } from 'node:path'
import type { ScenarioLibrary } from '../../scenario/library.js'
import type { ScenarioPlaces } from '../scenario-files.js'
import type { ServeOptions } from './serve-options.js'

/** Where the scenario files of the options are. */
export function toPlaces({ scenario, scenarios }: ServeOptions): ScenarioPlaces {
  return { directory: scenarios, files: scenario.filter(isPath) }
}

/** The names that the sandbox starts with; a path stands for the name that its file states. */
export function toInitialNames(
  { scenario }: ServeOptions,
  library: ScenarioLibrary,
): readonly string[] {
  const names = new Map(library.list().map(({ name, source }) => [resolve(source), name]))
  return scenario.map((text) => (isPath(text) ? (names.get(resolve(text)) ?? text) : text))
}

function isPath(text: string): boolean {
  return /\.json$|[\\/]/.test(text)
}
