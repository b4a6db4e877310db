// Measures how many mutants of the SDK its tests kill, and fails below 95 %. Started by `npm run mutants`
// in the root, which builds the package first. Takes about three minutes on two processors.
//
// With --compare, also measures the suite `handwritten`, whose service is msw handlers, and writes
// both results to docs/mutants.md.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

const folder = import.meta.dirname
const root = join(folder, '../..')
const page = join(root, 'docs/mutants.md')

run('node', [join(root, 'examples/install.js'), folder], root)
const fixture = measure('test')
if (process.argv.includes('--compare')) {
  const handwritten = measure('handwritten')
  writeSection(toTable(fixture, handwritten))
}
process.exitCode = fixture.exitCode

/** Runs Stryker with the tests of a folder. */
function measure(suite) {
  const startMs = Date.now()
  const { status } = spawnSync('npx', ['--no-install', 'stryker', 'run'], {
    cwd: folder,
    env: { ...process.env, SUITE: suite },
    stdio: 'inherit',
  })
  const report = JSON.parse(readFileSync(join(folder, 'reports/mutation.json'), 'utf8'))
  writeFileSync(join(folder, `reports/${suite}.json`), JSON.stringify(report))
  const mutants = Object.values(report.files).flatMap((file) => file.mutants)
  const killed = mutants.filter((mutant) => isKilled(mutant)).length
  const excluded = mutants.filter((mutant) => mutant.status === 'Ignored').length
  const survivors = mutants.filter((mutant) => !isKilled(mutant) && mutant.status !== 'Ignored')
  return {
    exitCode: status ?? 1,
    seconds: Math.round((Date.now() - startMs) / 1000),
    counted: mutants.length - excluded,
    excluded,
    killed,
    survivors: survivors.map((mutant) => mutant.mutatorName),
    supportLines: countLines(`${suite}/support.ts`),
    tests: Object.values(report.testFiles).flatMap(({ tests }) => tests).length,
    testLines: readdirSync(join(folder, suite))
      .filter((name) => name.endsWith('.test.ts') && name !== 'parts.test.ts')
      .reduce((sum, name) => sum + countLines(`${suite}/${name}`), 0),
  }
}

function isKilled({ status }) {
  return status === 'Killed' || status === 'Timeout'
}

/** Counts the lines that are neither empty nor comments. */
function countLines(path) {
  const lines = readFileSync(join(folder, path), 'utf8').split('\n')
  return lines.filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length
}

function toTable(fixture, handwritten) {
  const row = (name, toCell) => `| ${name} | ${toCell(fixture)} | ${toCell(handwritten)} |`
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node.js ${process.versions.node} on ${cpus().length} processors.`,
    '',
    '| figure | `petstore-sandbox/vitest` | handwritten msw handlers |',
    '|---|---|---|',
    row('lines of test support', ({ supportLines }) => supportLines),
    row('tests', ({ tests }) => tests),
    row('lines of tests that need the service', ({ testLines }) => testLines),
    row('mutants', ({ counted }) => counted),
    row('killed', ({ counted, killed }) => `${killed} (${toPercent(killed, counted)} %)`),
    row('survivors', ({ survivors }) => describe(survivors)),
    row('excluded as equivalent', ({ excluded }) => excluded),
    row('duration of the run', ({ seconds }) => `${seconds} s`),
  ].join('\n')
}

/** Rounds down, so that 100 % means all. */
function toPercent(part, whole) {
  return Math.floor((part / whole) * 1000) / 10
}

/** Returns the number of survivors of each kind. */
function describe(survivors) {
  const kinds = new Map()
  for (const kind of survivors) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'none'
}

function writeSection(text) {
  const [start, end] = ['<!-- mutants -->\n', '\n<!-- /mutants -->']
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(start)
  writeFileSync(page, `${before}${start}${text}${rest.slice(rest.indexOf(end))}`)
  console.log(text)
}

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}`)
}
