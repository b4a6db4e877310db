import { describe, expect, test } from 'vitest'
import { toJunit } from '../../../src/report/format/junit.js'
import type { Report } from '../../../src/report/report.js'
import type { Thresholds } from '../../../src/report/thresholds.js'
import { createHostileReport, emptyReport, fullReport, mergedReport } from '../reports.js'
import { hostileEntries } from './hostile.js'
import { parseXml, type XmlElement } from './xml.js'

/**
 * The elements of the schema that the plugin xUnit of Jenkins validates (junit-10.xsd), as far as
 * reports use them: required and optional attributes, and elements that they contain.
 */
const schema: Readonly<Record<string, readonly [string[], string[], string[]]>> = {
  testsuites: [[], ['name', 'time', 'tests', 'failures', 'errors'], ['testsuite']],
  testsuite: [
    ['name', 'tests', 'failures', 'errors'],
    ['time', 'skipped', 'timestamp'],
    ['properties', 'testcase'],
  ],
  properties: [[], [], ['property']],
  property: [['name', 'value'], [], []],
  testcase: [['name'], ['time', 'classname'], ['skipped', 'failure', 'system-out']],
  skipped: [[], ['message'], []],
  failure: [[], ['type', 'message'], []],
  'system-out': [[], [], []],
}

/** Returns what does not fit the schema. */
function findMismatches({ name, attributes, children, text }: XmlElement): string[] {
  const [required, optional, content] = schema[name] ?? [[], [], []]
  const names = Object.keys(attributes)
  const known = [...required, ...optional]
  return [
    ...(name in schema ? [] : [`element ${name}`]),
    ...required.filter((wanted) => !names.includes(wanted)).map((found) => `${name} ${found}`),
    ...names.filter((found) => !known.includes(found)).map((found) => `${name} ${found}`),
    ...children.filter((child) => !content.includes(child.name)).map((child) => child.name),
    ...(content.length > 0 && text.trim() !== '' ? [`${name} text`] : []),
    ...children.flatMap(findMismatches),
  ]
}

/** Returns the suite, and the test cases with the element that states their outcome. */
function readSuite(report: Report, name: string, thresholds?: Thresholds) {
  const root = parseXml(toJunit(report, thresholds && { thresholds }))
  const suite = root.children.find(({ attributes }) => attributes.name === name)
  if (!suite) throw new Error(`the document must have the suite ${name}`)
  const cases = suite.children.filter((child) => child.name === 'testcase')
  return {
    attributes: suite.attributes,
    outcomes: cases.map(({ attributes, children: [outcome] }) => [
      attributes.name,
      outcome?.name ?? 'passed',
      outcome?.attributes.message,
      outcome?.text,
    ]),
  }
}

test.each<readonly [string, Report]>([
  ['every outcome', fullReport],
  ['no requests', emptyReport],
  ['several worlds', mergedReport],
  ...hostileEntries.map(([name, text]) => [name, createHostileReport(text)] as const),
])('the XML of a report with %s fits the schema of JUnit', (_name, report) => {
  const root = parseXml(toJunit(report, { thresholds: { failOn: 'warning', minCoverage: 80 } }))
  expect(root.name).toBe('testsuites')
  expect(findMismatches(root)).toEqual([])
})

test.each([
  ['<a b="1" b="2"/>', /twice/],
  ['<a>&nbsp;</a>', /&nbsp; is not an entity/],
  ['<a>\u0000</a>', /forbidden/],
  ['<a><b></a></b>', /unexpected a/],
  ['<a/><b/>', /malformed/],
  ['<a b="<"/>', /malformed/],
])('the parser of this test rejects %j', (source, message) => {
  expect(() => parseXml(source)).toThrow(message)
})

// The golden file `reports` has the XML of a full and of an empty report.
describe('the suite conduct', () => {
  test.each([
    ['warning', 'failure'],
    ['error', 'system-out'],
  ] as const)('states a broken warning with failOn %s as %s', (failOn, element) => {
    const { outcomes } = readSuite(fullReport, 'conduct', { failOn })
    expect(outcomes[1]?.[1]).toBe(element)
  })
})

describe('the suite coverage', () => {
  test.each([
    [40, 'passed'],
    [41, 'failure'],
  ])('has a test case for a minimum of %i %% with the outcome %s', (minCoverage, outcome) => {
    const { outcomes } = readSuite(fullReport, 'coverage', { minCoverage })
    expect(outcomes).toHaveLength(43)
    expect(outcomes[0]?.slice(0, 2)).toEqual([
      `at least ${minCoverage} % of the combinations`,
      outcome,
    ])
  })
})
