import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import type { ScenarioPlaces } from '../scenario-files.js'

/** Editors write a file in several steps; this many milliseconds without one mean that it is done. */
const quietMs = 60

/**
 * Calls the listener after something changed at the places, once for changes close together.
 * Directories are watched, because an editor may put a new file in the place of the old one.
 *
 * @param onError Hears when a directory cannot be watched, or no longer.
 * @returns A function that ends this.
 */
export function watchPaths(
  { directory, files = [] }: ScenarioPlaces,
  onChange: () => void,
  onError: (error: unknown) => void,
): () => void {
  const directories = new Set(files.map((file) => dirname(file)))
  if (directory !== undefined) directories.add(directory)
  let timer: NodeJS.Timeout | undefined
  const onEvent = () => {
    clearTimeout(timer)
    timer = setTimeout(onChange, quietMs)
  }
  const watchers = [...directories].flatMap((path) => startWatch(path, onEvent, onError))
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

function startWatch(
  path: string,
  onEvent: () => void,
  onError: (error: unknown) => void,
): FSWatcher[] {
  try {
    return [watch(path, onEvent).on('error', onError)]
  } catch (error) {
    onError(error)
    return []
  }
}
