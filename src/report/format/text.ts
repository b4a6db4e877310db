import { toCount, toPlainLine } from '../../service/validation/message.js'
import type { Report, RuleResult } from '../report.js'
import { groupByOperation, groupMissing, type MissingGroup } from './coverage.js'
import type { FormatSettings, TextStyle } from './formatter.js'
import {
  describeConduct,
  describeCoverage,
  describeEvidence,
  describeKey,
  describeOmitted,
  describeRequests,
  describeSmallestPlan,
  describeUnattributed,
  describeWorld,
  forecastStart,
  sortRules,
} from './words.js'

type Paint = NonNullable<FormatSettings['paint']>

/** Width of the text, in characters. */
const maximumWidth = 80

/** Formats a report as text of 80 columns. */
export function toText(
  report: Report,
  { paint = (_style, text) => text }: FormatSettings = {},
): string {
  const sections = [
    toSummary(report, paint),
    toConduct(report, paint),
    toCoverage(report, paint),
    toWhatIf(report, paint),
  ]
  return sections.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n')
}

function toSummary(report: Report, paint: Paint): string[] {
  const { firstAt, lastAt, unattributed } = report.requests
  const facts = [
    ['World', describeWorld(report)],
    ['Key', describeKey(report)],
    ['Requests', describeRequests(report)],
    ...(unattributed ? [['Without', describeUnattributed(unattributed)]] : []),
    ...(firstAt && lastAt ? [['Period', `${firstAt} to ${lastAt}`]] : []),
    ['Created', report.createdAt],
  ]
  return facts.flatMap(([name = '', value = '']) => wrap(value, name.padEnd(10), paint, 'bold'))
}

function toConduct(report: Report, paint: Paint): string[] {
  const rules = sortRules(report.conduct)
  return [
    toTitle('Conduct', describeConduct(report), paint),
    '',
    ...rules.flatMap((rule) => (rule.outcome === 'broken' ? toBroken(rule, paint) : [])),
    ...rules.flatMap((rule) => (rule.outcome === 'broken' ? [] : toOther(rule, paint))),
  ]
}

/** Formats a broken rule, followed by an empty line. */
function toBroken(rule: RuleResult, paint: Paint): string[] {
  const style = rule.severity === 'error' ? 'red' : 'yellow'
  const omitted = describeOmitted(rule)
  return [
    ...wrap(`${rule.id}: ${rule.title}`, `${rule.severity.toUpperCase()}  `, paint, style),
    ...wrap(rule.finding, '  ', paint),
    ...rule.evidence.flatMap((each) =>
      wrap(`${each.at}  ${describeEvidence(each)}`, `  #${each.request}  `, paint, 'bold'),
    ),
    ...(omitted ? wrap(omitted, '  ', paint) : []),
    ...wrap(rule.fix, '  Fix:    ', paint, 'bold'),
    ...wrap(rule.source, '  Source: ', paint, 'bold'),
    '',
  ]
}

function toOther({ id, title, outcome }: RuleResult, paint: Paint): string[] {
  const style = outcome === 'kept' ? 'green' : 'dim'
  return wrap(`${id}: ${title}`, outcome.padEnd(8), paint, style)
}

function toCoverage(report: Report, paint: Paint): string[] {
  const { cells, met, possible } = report.coverage
  const title = toTitle('Coverage', describeCoverage(report), paint)
  if (met === possible) return [title]
  return [
    title,
    'Missing combinations of operation, status and limiter, and how to produce them:',
    ...groupByOperation(cells).flatMap(([operation, ofOperation]) => {
      const missing = groupMissing(ofOperation)
      return missing.length === 0 ? [] : ['', ...toMissing(operation, missing, paint)]
    }),
  ]
}

function toMissing(operation: string, missing: readonly MissingGroup[], paint: Paint): string[] {
  const lines = missing.flatMap(({ combinations, howTo }) =>
    wrap(`${combinations}: ${howTo}`, '  - ', paint, 'dim'),
  )
  return [...wrap(operation, '', paint), ...lines]
}

const titles = ['PLAN', 'REJECTED', 'BANS', 'FIRST REJECTION'] as const

function toWhatIf(report: Report, paint: Paint): string[] {
  const rows = report.whatIf.map(({ plan, refused, bans, firstRefusalAt }) =>
    [plan, `${refused}`, `${bans}`, firstRefusalAt ?? 'none'].map(toPlainLine),
  )
  const widths = titles.map((title, at) =>
    rows.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), title.length),
  )
  const align = (row: readonly string[]) =>
    row
      .map((text, at) =>
        at === 1 || at === 2 ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [
    toTitle('What if', `the same ${toCount(report.requests.assessed, 'requests')}`, paint),
    paint('bold', align(titles)),
    ...rows.map(align),
    ...wrap(`${forecastStart} ${describeSmallestPlan(report)}.`, '', paint),
  ]
}

function toTitle(name: string, summary: string, paint: Paint): string {
  return `${paint('bold', name.toUpperCase())}  ${summary}`
}

/**
 * Breaks a string into lines of the maximum width after a label. The width of the label indents the
 * further lines. Breaks words that are longer than a line.
 */
function wrap(text: string, label: string, paint: Paint, style?: TextStyle): string[] {
  const width = maximumWidth - label.length
  const lines: string[] = []
  let line = ''
  for (const word of toPlainLine(text).split(/ +/)) {
    for (const part of cut(word, width)) {
      const isFull = line !== '' && line.length + 1 + part.length > width
      if (isFull) lines.push(line)
      line = line === '' || isFull ? part : `${line} ${part}`
    }
  }
  const [first = '', ...others] = [...lines, line]
  const indent = ' '.repeat(label.length)
  const start = style ? paint(style, label) : label
  return [`${start}${first}`, ...others.map((other) => `${indent}${other}`)]
}

/** Cuts a word into parts of at most `width` characters. */
function cut(word: string, width: number): string[] {
  if (word.length <= width) return [word]
  const parts: string[] = []
  const characters = Array.from(word)
  for (let at = 0; at < characters.length; at += width) {
    parts.push(characters.slice(at, at + width).join(''))
  }
  return parts
}
