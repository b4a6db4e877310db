import type { ReportFormatter } from './formatter.js'
import { toHtml } from './html.js'
import { toJson } from './json.js'
import { toJunit } from './junit.js'
import { toText } from './text.js'

/** The formats of a report by name. */
export const reportFormats = {
  text: toText,
  json: toJson,
  junit: toJunit,
  html: toHtml,
} as const satisfies Record<string, ReportFormatter>

export type ReportFormat = keyof typeof reportFormats
