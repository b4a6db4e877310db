import type { Report } from '../report.js'
import type { Thresholds } from '../thresholds.js'

/** Styles of a terminal that the text of a report uses. */
export type TextStyle = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

export interface FormatSettings {
  /** The thresholds of the report. JUnit XML and HTML state the missed ones. */
  readonly thresholds?: Thresholds
  /** Returns a string in a style. Only the text uses it. Default: returns the string unchanged. */
  readonly paint?: (style: TextStyle, text: string) => string
}

/** Formats a report as the content of a file. Strings in the report are escaped. */
export type ReportFormatter = (report: Report, settings?: FormatSettings) => string
