import type { Check } from '../../src/verify/check.js'
import { allChecks } from '../../src/verify/run.js'
import { toCode, toTable } from '../reference/markdown.js'
import { type Quote, readStatements, type Statement } from './specification.js'
import { checkedTransports } from './transports.js'
import { unobservable } from './unobservable.js'
import { wrongServices } from './wrong-services.js'

/**
 * Returns the page about the fidelity of the sandbox.
 *
 * @param specification Content of docs/specification.md.
 */
export function toFidelityMarkdown(specification: string): string {
  const statements = readStatements(specification).filter(({ kind }) => kind !== 'heading')
  return `${[
    toIntroduction(statements),
    ...toSections(statements),
    toTransports(),
    toWrongServices(),
  ].join('\n\n')}\n`
}

function toIntroduction(statements: readonly Statement[]): string {
  const observed = statements.filter((statement) => findChecks(statement).length > 0).length
  return `# Fidelity

Every sentence, list item and table row of the [specification](./specification.md), and the checks that observe it. [\`petstore-sandbox verify\`](./verify.md) runs the checks against any deployment, and the tests of the sandbox run them [over every transport](#transports). \`npm run derive\` writes this page. A statement that has neither a check nor a reason fails the tests.

${statements.length} statements, of which ${observed} are observed by ${allChecks.length} checks. ${wrongServices.length} [wrong services](#wrong-services) show that the checks find deviations.

Options that a check needs: **w** \`--allow-writes\`, **x** \`--exhaust\`, **s** \`--staging-url\`, **q** \`--quickstart-url\`, **p** \`--plan\`.`
}

function toSections(statements: readonly Statement[]): readonly string[] {
  const sections = [...new Set(statements.map(({ section }) => section))]
  return sections.map((section) => {
    const rows = statements.filter((statement) => statement.section === section).map(toRow)
    const title = section === 'introduction' ? 'Introduction' : `§${section}`
    return `## ${title}\n\n${toTable(['statement', 'checks', 'transports'], rows)}`
  })
}

function toRow(statement: Statement): readonly string[] {
  const checks = findChecks(statement)
  if (checks.length > 0) return [statement.sentence, checks.map(toLabel).join(', '), 'all']
  const reason = unobservable.find((other) => isSame(other, statement))?.reason ?? 'missing'
  return [statement.sentence, `none: ${reason}`, '']
}

function findChecks({ section, sentence }: Quote): readonly Check[] {
  const own = `§${section} ${sentence}`
  return allChecks.filter(({ statement, restated = [] }) => [statement, ...restated].includes(own))
}

function isSame(one: Quote, other: Quote): boolean {
  return one.section === other.section && one.sentence === other.sentence
}

function toLabel({ id, writes, exhausts, needs, plan }: Check): string {
  const options = [writes && 'w', exhausts && 'x', needs?.charAt(0), plan && 'p'].filter(Boolean)
  return options.length === 0 ? toCode(id) : `${toCode(id)} **${options.join('')}**`
}

function toTransports(): string {
  const rows = checkedTransports.map(({ name, file }) => [name, toCode(file)])
  return `## Transports

The tests run every check over each of these. Over the first three, they also run the whole suite of
the sandbox. Over the others, they send the requests of the golden files; the responses must equal the
responses of \`sandbox.fetch\` byte for byte.

${toTable(['transport or store', 'test'], rows)}`
}

function toWrongServices(): string {
  const rows = wrongServices.map(({ does, check: id, companions = [] }) => {
    const check = allChecks.find((candidate) => candidate.id === id)
    const [, section, sentence] = /^§(\S+) (.+)$/.exec(check?.statement ?? '') ?? []
    const statement = `§${section}: ${sentence}`.replace('§introduction', 'Introduction')
    return [`A service that ${does}`, statement, toCode(id), companions.map(toCode).join(', ')]
  })
  return `## Wrong services

Each of these services is the sandbox with one deviation. A test runs all checks against it, and finds exactly the listed ones. The correct service has no finding.

${toTable(['wrong service', 'violated statement', 'found by', 'and by'], rows)}`
}
