import { describe, expect, test } from 'vitest'
import { type ReportFormat, reportFormats } from '../../../src/report/format/formats.js'
import {
  createHostileReport,
  emptyReport,
  fullReport,
  mergedReport,
  shortReport,
} from '../reports.js'
import { control, hostileEntries, hostileStrings, toSkeleton } from './hostile.js'

const formats = Object.entries(reportFormats)
const reports = { fullReport, emptyReport, mergedReport, shortReport }

describe.each(formats)('%s', (_format, toFormat) => {
  test.each(Object.entries(reports))('formats %s, and ends with a line break', (_name, report) => {
    const output = toFormat(report)
    expect(output).toMatch(/\S\n$/)
    expect(output).not.toMatch(/undefined|NaN|\[object/)
  })

  test.each(hostileEntries)('contains no character that is hostile in: %s', (_name, text) => {
    expect(toFormat(createHostileReport(text))).not.toMatch(control)
  })
})

test.each([
  ['text', 'Without   a valid key: 3 requests, of any client and not assessed'],
  ['html', '<dt>Without</dt><dd>a valid key: 3 requests, of any client and not assessed</dd>'],
  ['junit', '<property name="unattributed" value="3"/>'],
  ['json', '"unattributed": 3'],
] as const)('%s states how many requests had no valid key', (format, line) => {
  const report = { ...fullReport, requests: { ...fullReport.requests, unattributed: 3 } }
  expect(reportFormats[format](report)).toContain(line)
})

test.each(['terminal', 'direction', 'forbidden'] as const)(
  'the check for hostile characters finds: %s',
  (name) => {
    expect(hostileStrings[name]).toMatch(control)
  },
)

describe.each(['junit', 'html'] as const satisfies readonly ReportFormat[])('%s', (format) => {
  const toFormat = reportFormats[format]
  const harmless = toFormat(createHostileReport('harmless'))

  test.each(hostileEntries)('has the same elements and attributes with: %s', (_name, text) => {
    const output = toFormat(createHostileReport(text))
    expect(toSkeleton(output)).toBe(toSkeleton(harmless))
    expect(output).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/)
  })

  test.each(['element', 'attribute'] as const)('would have others without escaping: %s', (name) => {
    const unprotected = harmless.replaceAll('harmless', hostileStrings[name])
    expect(toSkeleton(unprotected)).not.toBe(toSkeleton(harmless))
  })
})
