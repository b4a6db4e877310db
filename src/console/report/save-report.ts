import type { ReportFormatter } from '../../report/format/formatter.js'
import { toHtml } from '../../report/format/html.js'
import { toJson } from '../../report/format/json.js'
import { toJunit } from '../../report/format/junit.js'
import type { Report } from '../../report/report.js'
import { saveFile } from '../parts/save-file.js'

/** The files in which a report can be saved. */
const files = {
  html: { name: 'integration-report.html', type: 'text/html', format: toHtml },
  junit: { name: 'integration-report.xml', type: 'application/xml', format: toJunit },
  json: { name: 'integration-report.json', type: 'application/json', format: toJson },
} as const satisfies Record<string, ReportFile>

interface ReportFile {
  readonly name: string
  readonly type: string
  readonly format: ReportFormatter
}

export type DownloadFormat = keyof typeof files

/** Downloads a report. Returns the name of the file. */
export function saveReport(report: Report, id: DownloadFormat): string {
  const { name, type, format } = files[id]
  saveFile(name, [format(report)], type)
  return name
}
