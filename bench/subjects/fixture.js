// CPU time per test that vitest's `sandbox` fixture adds.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findEntryFile } from '../checkout.js'
import { alternate, forEachCheckout, pick } from '../measure.js'
import { toRow } from '../results.js'

const rounds = 5
/** Tests before the measurement. */
const warmUp = 10

const empty = { file: 'empty', tests: 300 }

/** One test file each. */
const variants = [
  { file: 'initial', name: 'initial scenario', tests: 300, more: 0.4 },
  { file: 'named', name: 'a scenario by name', tests: 300, scenario: 'low-stock', more: 1 },
  { file: 'large', name: 'large-catalogue', tests: 300, scenario: 'large-catalogue', more: 3 },
  {
    file: 'changed',
    name: 'large-catalogue, PATCH and GET in each test',
    tests: 100,
    scenario: 'large-catalogue',
    body: `
    await sandbox.fetch('/inventory/1', {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: '{"quantity":3}',
    })
    await (await sandbox.fetch('/inventory')).text()`,
  },
  {
    file: 'merged',
    name: 'large-catalogue merged with an object',
    tests: 30,
    scenario: ['large-catalogue', { name: 'bench', clock: { now: '2026-03-01T09:00:00Z' } }],
    more: 3,
  },
]

export const fixture = {
  id: 'fixture',
  title: 'Test fixture',
  method: `CPU time of the process per test of a vitest run, in milliseconds; median of ${rounds} alternating runs.`,

  async run({ checkouts, directory }) {
    const projects = new Map()
    for (const checkout of checkouts)
      projects.set(checkout, await writeProject(checkout, directory))
    const measure = (checkout) => runProject(checkout, projects.get(checkout))
    const samples = await alternate(rounds, forEachCheckout(checkouts, measure))
    const reference = 'empty fixture'
    const rows = variants.map(({ file, name, more }) =>
      toRow({
        measurement: `${name}, ms`,
        samples: { ...pick(samples, file), [reference]: pick(samples, empty.file).new },
        targets: more === undefined ? [] : [{ reference, more }],
      }),
    )
    return { rows, notes: [] }
  },
}

/** Writes a project with one test file for each variant. */
async function writeProject(checkout, parent) {
  const directory = await mkdtemp(join(parent, 'fixture-'))
  await mkdir(join(directory, 'results'))
  await symlink(join(checkout.directory, 'node_modules'), join(directory, 'node_modules'))
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
  await writeFile(
    join(directory, 'vitest.config.js'),
    // As in a real project, vitest does not transform the package.
    `export default { test: { fileParallelism: false, server: { deps: { external: [/dist/] } } } }`,
  )
  const entryFile = findEntryFile(checkout, './vitest', 'node')
  for (const variant of [empty, ...variants]) {
    await writeFile(join(directory, `${variant.file}.test.js`), toTestFile(variant, entryFile))
  }
  return directory
}

function toTestFile({ file, tests, scenario, body = '' }, entryFile) {
  const isEmpty = file === empty.file
  const override = scenario ? `test.override({ scenario: ${JSON.stringify(scenario)} })` : ''
  return `
import { writeFileSync } from 'node:fs'
import { afterAll, test as vitestTest } from 'vitest'
${isEmpty ? '' : `import { test } from ${JSON.stringify(entryFile)}`}
${isEmpty ? 'const test = vitestTest.extend({ sandbox: async ({}, use) => { await use({}) } })' : override}
const times = []
for (let index = 0; index < ${tests}; index++) {
  test(\`test \${index}\`, async ({ sandbox }) => {
    if (sandbox) times.push(process.cpuUsage())${body}
  })
}
afterAll(() => {
  const measured = times.slice(${warmUp})
  const { user, system } = process.cpuUsage(measured[0])
  const msPerTest = (user + system) / 1_000 / measured.length
  writeFileSync(new URL('results/${file}', import.meta.url), String(msPerTest))
})
`
}

/** Returns the milliseconds per test of each variant. */
async function runProject(checkout, directory) {
  const vitest = join(checkout.directory, 'node_modules/vitest/vitest.mjs')
  const execute = promisify(execFile)
  await execute(process.execPath, [vitest, 'run', '--root', directory], { cwd: directory })
  const figures = {}
  for (const { file } of [empty, ...variants]) {
    figures[file] = Number(await readFile(join(directory, 'results', file), 'utf8'))
  }
  return figures
}
