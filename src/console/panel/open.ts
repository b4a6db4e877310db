import { addresses } from '../../service/addresses.js'
import { truncate } from '../../service/validation/message.js'
import { checkSecret } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import {
  type PanelHandle,
  type PanelOptions,
  readPanelOptions,
} from '../../transport/browser/panel-options.js'
import type { InProcessSandbox } from '../../transport/in-process/sandbox.js'
import type { LoadCreateTest } from '../copies/copy-test.js'
import { toFragment } from '../session/access.js'
import { mountSandboxPanel } from './sandbox.js'
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
  return mountSandboxPanel(sandbox, options, loadCreateTest)
}

/** Options of a panel for a sandbox over HTTP. */
export interface ConnectPanelOptions extends PanelOptions {
  /**
   * Root URL of the sandbox, such as `/petstore`. It must have the origin of the page, because the
   * control API rejects pages of other origins.
   */
  readonly url: string
  /** Key whose world the panel shows. It is sent to this URL only. */
  readonly apiKey: string
  /** Token that the sandbox requires for control requests. Default: none. */
  readonly token?: string | undefined
}

/**
 * Adds a panel to the page that shows and controls a world of a sandbox over HTTP. Replaces a panel
 * that is already in the page.
 *
 * @example
 * connectPanel({ url: '/petstore', apiKey: 'sbx_free_default_demo' })
 *
 * @throws {TypeError} If an option is unknown or invalid, or the sandbox is at another origin than
 * the page.
 */
export function connectPanel(options: ConnectPanelOptions): PanelHandle {
  const { apiKey, environment, position } = readPanelOptions(options, 'connectPanel', [
    'url',
    'token',
  ])
  checkSecret('apiKey', options.apiKey)
  const { token } = options
  if (token !== undefined) checkSecret('token', token)
  const root = readRoot(options.url)
  const { api, staging, control, stagingControl } = addresses
  const controlUrls = {
    production: root + control.httpPath,
    staging: root + stagingControl.httpPath,
  }
  return mountPanel({
    access: { apiKey, environment, ...(token !== undefined && { token }) },
    place: { controlUrls },
    baseUrl: root + (environment === 'production' ? api : staging).httpPath,
    position,
    toLink: () => `${root}/${toFragment({ apiKey, environment })}`,
    loadCreateTest,
  })
}

/** @throws {Error} If the page cannot load it. */
const loadCreateTest: LoadCreateTest = () =>
  import('../copies/create-test.js').catch(() => {
    throw new Error('a module of the panel could not be loaded; reload the page')
  })

/** @throws {TypeError} If the URL is not one at the origin of the page. */
function readRoot(found: unknown): string {
  const wanted = 'a URL at the origin of this page, such as "/petstore"'
  const url =
    typeof found === 'string' && URL.canParse(found, document.baseURI)
      ? new URL(found, document.baseURI)
      : undefined
  if (!url) throw new TypeError(`url must be ${wanted}, found ${describeValue(found)}`)
  const { origin, pathname, search, hash } = url
  if (origin !== location.origin) {
    const advice = 'let the server of the page forward a path to the sandbox'
    throw new TypeError(
      `url must be ${wanted} (${location.origin}), found ${truncate(origin)}; ${advice}`,
    )
  }
  if (search + hash !== '') {
    throw new TypeError(`url must have no query or fragment, found ${truncate(search + hash)}`)
  }
  return origin + pathname.replace(/\/+$/, '')
}
