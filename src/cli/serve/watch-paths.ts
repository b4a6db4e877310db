import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import type { ScenarioLocations } from '../scenario-files.js'

/** Debounce delay in milliseconds. Editors write a file in several steps. */
const quietMs = 60

/**
 * Watches scenario files, and debounces their changes. Watches their directories, because an editor
 * may replace a file with a new one.
 *
 * @param onError Called if a directory cannot be watched or its watch fails.
 * @returns A function that stops watching.
 */
export function watchPaths(
  { directory, files = [] }: ScenarioLocations,
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
