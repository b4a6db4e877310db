import panelStyles from './panel.css?inline'

/**
 * Creates the style sheet of the panel. A constructed style sheet is permitted by any
 * Content-Security-Policy.
 */
export function createStyles(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  // A rem is relative to the font size of the page, which must not affect the panel.
  sheet.replaceSync(
    panelStyles.replace(/(\d*\.?\d+)rem\b/g, (_, size: string) => `${Number(size) * 16}px`),
  )
  return sheet
}
