// Requests in the process of the client, and the fixture of vitest.
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findEntryFile, root } from '../bundle.js'
import { alternate } from '../measure.js'

const execute = promisify(execFile)
const program = join(import.meta.dirname, '../programs/in-process.js')

/**
 * Measures fetch through msw. Each sample is a process: the optimizing compiler decides differently in
 * each.
 *
 * @param {import('../processes.js').Context} context
 */
export async function measureMsw({ node }) {
  const measure = async (kind) => Number((await execute(node, [program, kind])).stdout)
  const samples = await alternate(7, {
    sandbox: () => measure('sandbox'),
    constant: () => measure('constant'),
  })
  return {
    rows: [
      {
        figure: 'fetch through msw in process',
        unit: 'µs CPU',
        own: samples.sandbox,
        reference: { name: 'a constant msw handler', samples: samples.constant },
        times: 1.25,
      },
    ],
  }
}

/**
 * Measures empty tests of vitest, with the fixture and without.
 *
 * @param {import('../processes.js').Context} context
 */
export async function measureFixture({ node, directory: parent }) {
  const directory = join(parent, 'fixture')
  await mkdir(directory)
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
  // As in a real project, vitest does not transform the package.
  const config = `export default { test: { server: { deps: { external: [/dist/] } } } }`
  await writeFile(join(directory, 'vitest.config.js'), config)
  const file = JSON.stringify(findEntryFile('./vitest', 'node'))
  const imports = {
    fixture: `import { test } from ${file}`,
    empty: `import { test } from 'vitest'`,
  }
  const contenders = {}
  for (const [name, imported] of Object.entries(imports)) {
    await writeFile(join(directory, `${name}.test.js`), toTests(name, imported))
    contenders[name] = async () => {
      const vitest = join(root, 'node_modules/vitest/vitest.mjs')
      await execute(node, [vitest, 'run', `${name}.test.js`], { cwd: directory })
      return Number(await readFile(join(directory, `${name}.txt`), 'utf8'))
    }
  }
  const samples = await alternate(5, contenders)
  return {
    rows: [
      {
        figure: 'an empty test with the fixture',
        unit: 'ms CPU',
        own: samples.fixture,
        reference: { name: 'without it', samples: samples.empty },
        more: 1,
      },
    ],
  }
}

/** Returns a file of tests that writes the CPU time per test, without the first ten. */
function toTests(name, imported) {
  return `
import { writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'
${imported}
let begun
for (let index = 0; index < 310; index++) {
  test(\`test \${index}\`, async ({ ${name === 'fixture' ? 'sandbox' : ''} }) => {
    if (index === 10) begun = process.cpuUsage()
  })
}
afterAll(() => {
  const { user, system } = process.cpuUsage(begun)
  writeFileSync('${name}.txt', String((user + system) / 300_000))
})
`
}
