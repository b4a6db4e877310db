/** A panel in a page that shows and controls a world of a sandbox. */

export { type ConnectPanelOptions, connectPanel, openPanel } from './console/panel/open.js'
export type { Environment } from './service/addresses.js'
export type {
  PanelHandle,
  PanelOptions,
  PanelPosition,
} from './transport/browser/panel-options.js'
