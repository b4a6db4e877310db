import {
  type PanelHandle,
  type PanelOptions,
  readPanelOptions,
} from '../../transport/browser/panel-options.js'
import type { BaseUrl } from '../../transport/in-process/base-urls.js'
import type { InProcessSandbox } from '../../transport/in-process/sandbox.js'
import { mountPanel } from './view/mount.js'

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
  const { apiKey, environment, position } = readPanelOptions(options, 'openPanel')
  const { api, staging, control, stagingControl } = sandbox.bases
  return mountPanel({
    access: { apiKey, environment },
    place: { controlUrls: { production: toUrl(control), staging: toUrl(stagingControl) } },
    baseUrl: toUrl(environment === 'production' ? api : staging),
    fetcher: sandbox.fetch,
    watch: (listener) => sandbox.onChange(listener),
    position,
  })
}

/** Returns a URL at which the sandbox responds. A base URL may be a path on any origin. */
function toUrl({ origin = location.origin, prefix }: BaseUrl): string {
  return origin + prefix
}
