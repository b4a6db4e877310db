// Measures how many mutants of the code that decides about a response are killed: npm run mutants:core
//
// Fails if the tests kill less than 95 %, if a mutant survives that survivors.json does not list, or if
// the tests of a mutant could not be run, which Stryker leaves out of the score.
// With paths, mutates only these files and folders: npm run mutants:core -- src/world/quota
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const root = join(folder, '../..')
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js')

const patterns = process.argv.slice(2).map((path) => {
  return statSync(path).isDirectory() ? `${path}/**/*.ts` : path
})
const mutate = patterns.length > 0 ? ['--mutate', patterns.join()] : []

run(join(root, 'examples/install.js'), folder, '--locked-only')
const isEnough = run(stryker, 'run', join(folder, 'stryker.config.js'), ...mutate)

const report = join(root, 'dist/mutants.json')
// Without a report, Stryker has said why.
if (!existsSync(report)) process.exit(1)
const { files } = readJson(report)
const listed = new Set(readJson(join(folder, 'survivors.json')).map(toId))
const survivors = Object.entries(files).flatMap(([file, { source, mutants }]) => {
  return mutants.filter(isAlive).map((mutant) => describe(file, source, mutant))
})
const missing = survivors.filter((survivor) => !listed.has(toId(survivor)))
console.log(`Survivors: ${survivors.length}, not in survivors.json: ${missing.length}`)
for (const survivor of missing) console.log(JSON.stringify(survivor, undefined, 2))
const errors = Object.values(files).flatMap(({ mutants }) => {
  return mutants.filter(({ status }) => status === 'RuntimeError')
})
console.log(`Mutants whose tests could not be run: ${errors.length}`)
if (!isEnough || missing.length + errors.length > 0) process.exitCode = 1

function isAlive({ status }) {
  return status === 'Survived' || status === 'NoCoverage'
}

/** Returns the changed lines of a mutant before and after the change, without line breaks. */
function describe(file, source, { location: { start, end }, replacement }) {
  const lines = source.split('\n')
  const first = lines[start.line - 1].slice(0, start.column - 1)
  const last = lines[end.line - 1].slice(end.column - 1)
  const toLine = (text) => text.replace(/\s+/g, ' ').trim()
  const before = toLine(lines.slice(start.line - 1, end.line).join(' '))
  return { file, before, after: toLine(first + replacement + last) }
}

/** Identifies a mutant. Line numbers do not: they change too often. */
function toId({ file, before, after }) {
  return JSON.stringify([file, before, after])
}

function run(program, ...args) {
  const { status } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  return status === 0
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
