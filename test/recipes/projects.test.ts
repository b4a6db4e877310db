import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { run } from './run.js'

const root = join(import.meta.dirname, '../..')

const projects = [
  'examples/express',
  'examples/jest',
  'examples/vitest-browser',
  'examples/playwright',
]
const slowProjects = [
  'examples/react',
  'examples/storybook',
  'examples/next',
  'examples/webpack',
  'bench/bundlers',
]
if (inject('testsAllProjects')) projects.push(...slowProjects)

/** Installs a project from its lock file, with this package from its tarball, as a user gets it. */
function install(project: string): Promise<void> {
  return run([process.execPath, 'examples/install.js', project], root)
}

test.each(projects)('the tests of %s pass', async (project) => {
  await install(project)
  await run(['npm', 'test'], join(root, project))
})

test('a project that is missing fails', async () => {
  await expect(install('examples/missing')).rejects.toThrow(
    'a project must have examples/missing/package-lock.json, found none',
  )
})
