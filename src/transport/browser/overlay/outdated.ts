import type { PanelPosition } from '../panel-options.js'
import type { StartedWorker } from '../worker.js'
import { updateAdvice } from '../worker-failure.js'
import { showNote } from './note.js'

/** Shows a note about a worker script of another version of msw. */
export function showOutdated(
  { url, outdated }: StartedWorker,
  overlay: boolean | PanelPosition | undefined,
): void {
  const found = `The worker script ${url} is from msw ${outdated}, and the page uses another version.`
  showNote({ text: `${found} ${updateAdvice}`, overlay })
}
