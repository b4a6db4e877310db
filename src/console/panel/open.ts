import type { PanelHandle, PanelOptions } from '../../transport/browser/panel-options.js'
import type { InProcessSandbox } from '../../transport/in-process/sandbox.js'
import type { LoadCreateTest } from '../copies/copy-test.js'
import { mountSandboxPanel } from './sandbox.js'

/**
 * Adds a panel to the page that shows and controls a world of a sandbox in this page. Replaces
 * a panel that is already in the page.
 *
 * @example
 * const panel = openPanel(sandbox, { position: 'bottom-left' })
 * panel.close()
 *
 * @throws {TypeError} If an option is unknown or invalid.
 */
export function openPanel(sandbox: InProcessSandbox, options: PanelOptions = {}): PanelHandle {
  return mountSandboxPanel(sandbox, options, loadCreateTest)
}

/** @throws {Error} If the page cannot load it. */
export const loadCreateTest: LoadCreateTest = () =>
  import('../copies/create-test.js').catch(() => {
    throw new Error('a module of the panel could not be loaded; reload the page')
  })
