/** A panel in a page that shows and controls a world of a sandbox. */
export type { Environment } from './contract/addresses.js'
export { connectPanel } from './panel/connect.js'
export { openPanel } from './panel/open.js'
export type {
  ConnectPanelOptions,
  PanelHandle,
  PanelOptions,
  PanelPosition,
} from './panel/options.js'
