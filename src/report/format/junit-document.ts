import { joinLines, type Markup, type MarkupValue, markup } from './markup.js'

/** A test case: `outcome` is undefined if it has passed. */
export interface JunitCase {
  /** Default: the value of the suite. */
  readonly classname?: string
  readonly name: string
  readonly outcome?: JunitOutcome | undefined
}

interface JunitOutcome {
  readonly type: 'failure' | 'error' | 'skipped' | 'system-out'
  readonly message?: string
  readonly details?: MarkupValue
}

export interface JunitSuite {
  readonly name: string
  /** ISO 8601. */
  readonly timestamp?: string
  readonly properties: readonly (readonly [name: string, value: string])[]
  readonly cases: readonly JunitCase[]
}

/** Formats test suites as JUnit XML that GitLab and Jenkins read. */
export function toJunitDocument(suites: readonly JunitSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases)
  const { source } = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="petstore-sandbox" tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}" time="0">
${joinLines(suites.map(toSuite))}
</testsuites>
`
  return source
}

function count(cases: readonly JunitCase[], type: JunitOutcome['type']): number {
  return cases.filter(({ outcome }) => outcome?.type === type).length
}

function toSuite({ name, timestamp, properties, cases }: JunitSuite): Markup {
  // In the schema of JUnit, the attribute has no time zone.
  const time = timestamp && markup` timestamp="${timestamp.replace(/(\.\d+)?Z$/, '')}"`
  return markup`  <testsuite name="${name}" tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}" skipped="${count(cases, 'skipped')}" time="0"${time}>
    <properties>
${joinLines(properties.map(([key, value]) => markup`      <property name="${key}" value="${value}"/>`))}
    </properties>
${joinLines(cases.map((each) => toCase(each, `petstore-sandbox.${name}`)))}
  </testsuite>`
}

function toCase({ name, outcome, classname }: JunitCase, ofSuite: string): Markup {
  const start = markup`    <testcase classname="${classname ?? ofSuite}" name="${name}" time="0"`
  return outcome ? markup`${start}>${toOutcome(outcome)}</testcase>` : markup`${start}/>`
}

function toOutcome({ type, message, details }: JunitOutcome): Markup {
  const start = message === undefined ? markup`<${type}` : markup`<${type} message="${message}"`
  return details === undefined ? markup`${start}/>` : markup`${start}>${details}</${type}>`
}
