// Time per test that vitest's `sandbox` fixture adds.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findEntryFile } from '../checkout.js'
import { alternate, forEachCheckout, pick } from '../measure.js'
import { toRow } from '../results.js'

const rounds = 3
/** Tests before the measurement. */
const warmUp = 20

const empty = { name: 'empty', tests: 300 }
const variants = [
  { name: 'default', tests: 300, more: 0.4 },
  { name: 'low-stock', tests: 300, scenario: 'low-stock', more: 1 },
  { name: 'large-catalogue', tests: 60, scenario: 'large-catalogue', more: 3 },
]
const titles = {
  default: 'initial scenario',
  'low-stock': 'a scenario by name',
  'large-catalogue': 'large-catalogue',
}

export const fixture = {
  id: 'fixture',
  title: 'Test fixture',
  method: `ms per test in a vitest run, from the body of one test to that of the next; median of ${rounds} alternating runs`,

  async run({ checkouts, directory }) {
    const projects = new Map()
    for (const checkout of checkouts)
      projects.set(checkout, await writeProject(checkout, directory))
    const measure = (checkout) => runProject(checkout, projects.get(checkout))
    const samples = await alternate(rounds, forEachCheckout(checkouts, measure))
    const reference = 'empty fixture'
    const rows = variants.map(({ name, more }) =>
      toRow({
        measurement: `${titles[name]}, ms per test`,
        samples: { ...pick(samples, name), [reference]: pick(samples, empty.name).new },
        targets: [{ reference, more }],
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
  const file = findEntryFile(checkout, './vitest', 'node')
  for (const variant of [empty, ...variants]) {
    await writeFile(join(directory, `${variant.name}.test.js`), toTestFile(variant, file))
  }
  return directory
}

function toTestFile({ name, tests, scenario }, file) {
  const isEmpty = name === empty.name
  const override = scenario ? `test.override({ scenario: ${JSON.stringify(scenario)} })` : ''
  return `
import { writeFileSync } from 'node:fs'
import { afterAll, test as vitestTest } from 'vitest'
${isEmpty ? '' : `import { test } from ${JSON.stringify(file)}`}
${isEmpty ? 'const test = vitestTest.extend({ sandbox: async ({}, use) => { await use({}) } })' : override}
const times = []
for (let index = 0; index < ${tests}; index++) {
  test(\`test \${index}\`, ({ sandbox }) => {
    if (sandbox) times.push(performance.now())
  })
}
afterAll(() => {
  const measured = times.slice(${warmUp})
  const msPerTest = (measured.at(-1) - measured[0]) / (measured.length - 1)
  writeFileSync(new URL('results/${name}', import.meta.url), String(msPerTest))
})
`
}

/** Returns the milliseconds per test of each variant. */
async function runProject(checkout, directory) {
  const vitest = join(checkout.directory, 'node_modules/vitest/vitest.mjs')
  const execute = promisify(execFile)
  await execute(process.execPath, [vitest, 'run', '--root', directory], { cwd: directory })
  const figures = {}
  for (const { name } of [empty, ...variants]) {
    figures[name] = Number(await readFile(join(directory, 'results', name), 'utf8'))
  }
  return figures
}
