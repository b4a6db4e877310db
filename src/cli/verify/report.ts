import { toPlainLine } from '../../validation/message.js'
import type { CheckResult, Verification } from '../../verify/run.js'
import type { Paint } from '../terminal.js'

/** A verification, and what was verified. */
export interface VerifyReport extends Verification {
  readonly url: string
  /** Masked. */
  readonly key: string
}

/** Escapes the characters of responses that would control a terminal. */
export function toSafeReport(report: VerifyReport): VerifyReport {
  return {
    ...report,
    stopped: report.stopped === undefined ? undefined : toPlainLine(report.stopped),
    unrestored: report.unrestored.map(toPlainLine),
    results: report.results.map((result) => ({
      ...result,
      ...(result.reason !== undefined && { reason: toPlainLine(result.reason) }),
      findings: result.findings.map(({ expected, actual, curl }) => ({
        expected: toPlainLine(expected),
        actual: toPlainLine(actual),
        curl: curl.map(toPlainLine),
      })),
    })),
  }
}

/** Returns the number of results with an outcome. */
export function count({ results }: Verification, outcome: CheckResult['outcome']): number {
  return results.filter((result) => result.outcome === outcome).length
}

/** Returns the report as lines for people: what deviates and what failed, then a summary. */
export function toTextReport(report: VerifyReport, paint: Paint): string {
  const shown = report.results.filter(
    ({ outcome }) => outcome === 'deviates' || outcome === 'failed',
  )
  return [...shown.map((result) => toBlock(result, paint)), toSummary(report, paint)].join('\n')
}

function toBlock({ id, section, sentence, outcome, reason, findings }: CheckResult, paint: Paint) {
  const title = `${paint(outcome === 'failed' ? 'yellow' : 'red', outcome)}  ${paint('bold', id)}`
  const lines = [`${title}  ${toPlace(section)}`, `  "${sentence}"`]
  if (reason !== undefined) lines.push(`  ${reason}`)
  for (const { expected, actual, curl } of findings) {
    lines.push(`  expected  ${expected}`, `  actual    ${actual}`)
    lines.push(...curl.map((command) => `  ${paint('dim', command)}`))
  }
  return `${lines.join('\n')}\n`
}

/** Returns the place of a statement, such as `§4.1`. */
function toPlace(section: string): string {
  return section === 'introduction' ? section : `§${section}`
}

function toSummary(report: VerifyReport, paint: Paint): string {
  const { results, requests, url, key, stopped } = report
  const counts = [
    paint('green', `${count(report, 'agrees')} agree`),
    `${count(report, 'deviates')} deviate`,
    `${count(report, 'failed')} could not be checked`,
    `${count(report, 'skipped')} skipped`,
  ]
  const reasons = new Map<string, number>()
  for (const { outcome, reason = '' } of results) {
    if (outcome === 'skipped') reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  const skipped = [...reasons].map(([reason, number]) => `  skipped ${number}: ${reason}\n`)
  if (stopped !== undefined) skipped.push(`  stopped early: ${stopped}\n`)
  const title = `${results.length} checks of ${url} with the key ${key}, ${requests} requests`
  return `${title}: ${counts.join(', ')}\n${skipped.join('')}`
}

/** Returns the report as JSON. docs/verify.md lists the fields. */
export function toJsonReport({ url, key, requests, stopped, unrestored, results }: VerifyReport) {
  const document = { url, key, requests, stopped: stopped ?? null, unrestored, checks: results }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** Returns the report as JUnit XML: one test case for each check. */
export function toJUnitReport(report: VerifyReport): string {
  const { results, url } = report
  const counts = {
    tests: results.length,
    failures: count(report, 'deviates'),
    errors: count(report, 'failed'),
    skipped: count(report, 'skipped'),
  }
  const attributes = Object.entries(counts).map(([name, value]) => `${name}="${value}"`)
  const suite = `<testsuite name="${escapeXml(`verify ${url}`)}" ${attributes.join(' ')}>`
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', suite]
  for (const result of results) lines.push(toTestCase(result))
  return `${[...lines, '</testsuite>', '</testsuites>'].join('\n')}\n`
}

function toTestCase({
  id,
  section,
  sentence,
  outcome,
  reason = '',
  findings,
}: CheckResult): string {
  const name = escapeXml(`${id}: ${sentence}`)
  const open = `<testcase classname="${escapeXml(toPlace(section))}" name="${name}"`
  if (outcome === 'agrees') return `${open}/>`
  const [first] = findings
  const message = escapeXml(first ? `expected ${first.expected}, found ${first.actual}` : reason)
  const details = findings.flatMap(({ expected, actual, curl }) => [
    `expected ${expected}`,
    `actual ${actual}`,
    ...curl,
  ])
  const element = { deviates: 'failure', failed: 'error', skipped: 'skipped' }[outcome]
  return `${open}><${element} message="${message}">${escapeXml(details.join('\n'))}</${element}></testcase>`
}

const notXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Escapes a string for XML. Replaces the characters that XML cannot represent. */
function escapeXml(text: string): string {
  return text.replace(notXml, '\ufffd').replace(/[&<>"]/g, (found) => references[found] ?? found)
}
