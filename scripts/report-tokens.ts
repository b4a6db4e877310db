/** The colours and fonts of the HTML report: the declarations of custom properties. */
export interface ReportTokens {
  readonly light: string
  /** Those that differ in a dark page. */
  readonly dark: string
}

/**
 * Returns the colours and fonts of the report.
 *
 * @param css The style sheet with the tokens of the console.
 */
export function toReportTokens(css: string): ReportTokens {
  const [light = '', dark = ''] = css.split('@media')
  return { light: listDeclarations(light), dark: listDeclarations(dark) }
}

function listDeclarations(css: string): string {
  return (css.match(/--[\w-]+: [^;]+;/g) ?? []).join(' ')
}
