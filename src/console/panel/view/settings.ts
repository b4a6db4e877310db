import { useLayoutEffect, useState } from 'preact/hooks'
import type { RemoteFetch } from '../../../control/client/client.js'
import { parseJson } from '../../../service/json.js'
import type { PanelPosition } from '../../../transport/browser/panel-options.js'
import type { LoadCreateTest } from '../../copies/copy-test.js'
import type { Access, ControlPlace } from '../../session/client.js'
import { readTab, writeTab } from '../../session/tab-storage.js'
import type { Watch } from '../../session/use-overview.js'

/** What a panel shows, and how it reaches it. */
export interface PanelSettings {
  readonly access: Access
  readonly place: ControlPlace
  /** Base URL of the service, which a page uses. */
  readonly baseUrl: string
  readonly position: PanelPosition
  /** Returns a link to the running scenario or to its world. Default: there is none. */
  readonly toLink?: ((scenario: string) => string) | undefined
  /** Sends the control requests. Default: the global `fetch`. */
  readonly fetcher?: RemoteFetch
  /** Calls a listener after each change of the world. Default: the world is read again regularly. */
  readonly watch?: Watch
  readonly loadCreateTest: LoadCreateTest
}

/** How the panel is shown. */
export interface Layout {
  readonly isOpen: boolean
  /** Whether the sheet is at the side of the page rather than at its bottom or top. */
  readonly isAside: boolean
  /** Height of a sheet at the bottom, or width of one at the side, in pixels. */
  readonly size: number
}

const initial: Layout = { isOpen: false, isAside: false, size: 340 }

const storageName = 'petstore-sandbox.panel'

/** Returns the layout of the panel, which the tab retains. */
export function useLayout(): readonly [layout: Layout, setLayout: (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(() => ({
    ...initial,
    ...Object(parseJson(readTab(storageName))), // written by this function
  }))
  useLayoutEffect(() => writeTab(storageName, JSON.stringify(layout)), [layout])
  return [layout, setLayout]
}
