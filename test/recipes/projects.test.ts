import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { newerNode } from '../support/newer-node.js'
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
  'examples/vue',
  'examples/storybook',
  'examples/next',
  'examples/webpack',
  'bench/bundlers',
]
if (inject('testsAllProjects')) projects.push(...slowProjects)

/** Installs a project from its lock file, with this package from its tarball, as a user gets it. */
function install(project: string, ...packages: readonly string[]): Promise<void> {
  return run([process.execPath, 'examples/install.js', project, ...packages], root)
}

const isSource = (path: string) => !path.includes('node_modules')

test.each(projects)('the tests of %s pass', async (project) => {
  await install(project)
  await run(['npm', 'test'], join(root, project))
})

describe.runIf(inject('testsAllProjects'))('with msw 3', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-msw-3-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const withMsw2 = ['examples/vitest-browser', 'examples/playwright', 'examples/react']

  test.each(withMsw2)('the tests of %s pass', async (project) => {
    await cp(join(root, project), folder, { recursive: true, filter: isSource })
    await install(folder, 'msw@3.0.5', `${newerNode}@22`)
    const path = [join(folder, 'node_modules', newerNode, 'bin'), process.env.PATH].join(delimiter)
    await run(['env', `PATH=${path}`, 'npm', 'test'], folder)
  })
})

test('a project that is missing fails', async () => {
  await expect(install('examples/missing')).rejects.toThrow(
    'a project must have examples/missing/package-lock.json, found none',
  )
})
