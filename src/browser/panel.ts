import type { InProcessSandbox } from '../in-process/sandbox.js'
import type { PanelHandle, PanelOptions } from '../panel/options.js'

/** Loads the code of the panel, which other pages do not need, and adds the panel to the page. */
export async function loadPanel(
  sandbox: InProcessSandbox,
  options: PanelOptions,
): Promise<PanelHandle> {
  const { openPanel } = await import('../panel/open.js')
  return openPanel(sandbox, options)
}
