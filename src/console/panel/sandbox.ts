import {
  type PanelHandle,
  type PanelOptions,
  readPanelOptions,
} from '../../transport/browser/panel-options.js'
import type { BaseUrl } from '../../transport/in-process/base-urls.js'
import type { InProcessSandbox } from '../../transport/in-process/sandbox.js'
import type { LoadCreateTest } from '../copies/copy-test.js'
import { mountPanel } from './view/mount.js'

/**
 * Adds a panel for a sandbox in this page.
 *
 * @param parameter Name of the parameter in the URL of the page that names the scenario.
 * @throws {TypeError} If an option is unknown or invalid.
 */
export function mountSandboxPanel(
  sandbox: InProcessSandbox,
  options: PanelOptions,
  loadCreateTest: LoadCreateTest,
  parameter?: string,
): PanelHandle {
  const { apiKey, environment, position } = readPanelOptions(options, 'openPanel')
  const { api, staging, control, stagingControl } = sandbox.bases
  return mountPanel({
    access: { apiKey, environment },
    place: { controlUrls: { production: toUrl(control), staging: toUrl(stagingControl) } },
    baseUrl: toUrl(environment === 'production' ? api : staging),
    fetcher: sandbox.fetch,
    watch: (listener) => sandbox.onChange(listener),
    position,
    toLink: parameter === undefined ? undefined : (scenario) => toPageUrl(parameter, scenario),
    loadCreateTest,
  })
}

/** Returns the URL of the page with another scenario. */
function toPageUrl(parameter: string, scenario: string): string {
  const url = new URL(location.href)
  url.searchParams.set(parameter, scenario)
  return url.href
}

/** Returns a URL at which the sandbox responds. A base URL may be a path on any origin. */
function toUrl({ origin = location.origin, prefix }: BaseUrl): string {
  return origin + prefix
}
