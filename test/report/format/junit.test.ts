import { expect, test } from 'vitest'
import { toJunit } from '../../../src/report/format/junit.js'
import { emptyReport, fullReport, mergedReport } from '../reports.js'

/**
 * The elements of the schema that the plugin xUnit of Jenkins validates (junit-10.xsd), as far as
 * reports use them: required and optional attributes.
 */
const schema: Readonly<Record<string, readonly [required: string[], optional: string[]]>> = {
  testsuites: [[], ['name', 'time', 'tests', 'failures', 'errors']],
  testsuite: [
    ['name', 'tests', 'failures', 'errors'],
    ['time', 'skipped', 'timestamp'],
  ],
  properties: [[], []],
  property: [['name', 'value'], []],
  testcase: [['name'], ['time', 'classname']],
  skipped: [[], ['message']],
  failure: [[], ['type', 'message']],
  'system-out': [[], []],
}

// The golden file `reports` has the XML of a full and of an empty report, and formats.test.ts shows
// that no text of a report changes its elements.
test.each([
  ['every outcome', fullReport],
  ['no requests', emptyReport],
  ['several worlds', mergedReport],
])('a report with %s has the elements of the schema of JUnit', (_name, report) => {
  const xml = toJunit(report, { thresholds: { failOn: 'warning', minCoverage: 80 } })
  const elements = [...xml.matchAll(/<([\w-]+)((?: [\w-]+="[^"]*")*)\/?>/g)]
  expect(elements.length).toBeGreaterThan(20)
  for (const [element, name = '', attributes = ''] of elements) {
    const [required, optional] = schema[name] ?? expect.fail(element)
    const names = [...attributes.matchAll(/ ([\w-]+)="[^"]*"/g)].map(([, attribute]) => attribute)
    expect(names, element).toEqual(expect.arrayContaining(required))
    expect([...required, ...optional], element).toEqual(expect.arrayContaining(names))
  }
})

test.each([
  [{ failOn: 'warning' }, /<testcase [^>]*name="deprecated-in-use[^>]*>\s*<failure/],
  [{ failOn: 'error' }, /<testcase [^>]*name="deprecated-in-use[^>]*>\s*<system-out/],
  [{ minCoverage: 40 }, /<testcase [^>]*name="at least 40 % of the combinations"[^>]*\/>/],
  [{ minCoverage: 41 }, /<testcase [^>]*name="at least 41 % of the combinations"[^>]*>\s*<failure/],
] as const)('the thresholds %j decide which test cases fail', (thresholds, expected) => {
  expect(toJunit(fullReport, { thresholds })).toMatch(expected)
})
