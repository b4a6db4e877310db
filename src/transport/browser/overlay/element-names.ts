/** Name of the element that contains a panel. */
export const panelName = 'petstore-sandbox-panel'

/** Name of the element that contains failures and notes. In a page with a panel, a child of the panel. */
export const overlayName = 'petstore-sandbox-overlay'
