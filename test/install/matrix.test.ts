import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { readMswVersion } from '../package/consumer.js'
import { run } from '../recipes/run.js'

const root = join(import.meta.dirname, '../..')
const platform = `${process.platform}-${process.arch}`
const nodes = ['20', '22', '24']

interface Runner {
  readonly packages: readonly string[]
  readonly command: readonly string[]
}

/** What the recipe for Jest installs. */
function jest(version: string): Runner {
  const babel = ['@babel/core@7', '@babel/plugin-transform-modules-commonjs@7']
  return { packages: [`jest@${version}`, `babel-jest@${version}`, ...babel], command: ['jest'] }
}

/** Yarn PnP requires its peer dependency. */
function vitest(version: string): Runner {
  const packages = [`vitest@${version}`, 'vite@8']
  return { packages, command: ['vitest', 'run', '--globals'] }
}

const runners = {
  'Jest 29': jest('29'),
  'Jest 30': jest('30'),
  'vitest 4': vitest('4'),
  'vitest 5': vitest('5'),
  'bun test': { packages: [], command: ['test'] },
} satisfies Record<string, Runner>

/** The commands that install packages, and that run a program of one. */
const installers = {
  npm: {
    install: ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'],
    run: ['npm', 'exec', '--offline', '--'],
  },
  pnpm: {
    install: ['pnpm', 'install', '--ignore-scripts', '--prefer-offline', '--no-frozen-lockfile'],
    run: ['pnpm', 'exec'],
  },
  'Yarn PnP': { install: ['yarn', 'install', '--no-immutable'], run: ['yarn'] },
  Bun: { install: ['bun', 'install', '--ignore-scripts'], run: ['bun'] },
} as const

type Row = readonly [installer: keyof typeof installers, runner: keyof typeof runners, node: string]

const rows: readonly Row[] = [
  ...nodes.flatMap((node) =>
    (['Jest 29', 'Jest 30', 'vitest 4', 'vitest 5'] as const)
      // It requires a newer Node.js.
      .filter((runner) => runner !== 'vitest 5' || node !== '20')
      .map((runner) => ['npm', runner, node] as const),
  ),
  ['pnpm', 'Jest 30', '22'],
  ['pnpm', 'vitest 5', '22'],
  ['Yarn PnP', 'Jest 30', '22'],
  ['Yarn PnP', 'vitest 5', '22'],
  ['Bun', 'vitest 5', '22'],
  ['Bun', 'bun test', '22'],
]

/** The folder with the tarball, the installers and each version of Node.js. */
let folder: string
const results: object[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-install-'))
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run(['npm', 'pack', '--ignore-scripts', '--pack-destination', folder], root)
  const aliases = nodes.map((node) => `node-${node}@npm:node-${platform}@${node}`)
  const tools = ['pnpm@10', '@yarnpkg/cli-dist@4', `@oven/bun-${platform}@1`, ...aliases]
  await run([...installers.npm.install, ...tools], folder)
})

afterAll(async () => {
  console.table(results)
  await rm(folder, { recursive: true, force: true })
})

test.for(rows)('%s installs the package, and %s runs a test on Node.js %s', async (row) => {
  const [installer, runner, node] = row
  const { packages, command } = runners[runner]
  const project = await createProject(row.join('-').replaceAll(' ', '-'), packages)
  const modules = join(folder, 'node_modules')
  const programs = [`node-${node}/bin`, '.bin', `@oven/bun-${platform}/bin`]
  const path = [...programs.map((name) => join(modules, name)), process.env.PATH].join(':')
  /** Runs a program in the project. Returns how long it took, in seconds. */
  const time = async (program: readonly string[]) => {
    const startMs = performance.now()
    await run(['env', `PATH=${path}`, ...program], project)
    return Math.round((performance.now() - startMs) / 100) / 10
  }
  const result = { installer, runner, node, result: 'failed', 'install s': 0, 'test s': 0 }
  results.push(result)
  await time(['node', '--eval', `assert(process.version.startsWith('v${node}.'))`])
  result['install s'] = await time(installers[installer].install)
  result['test s'] = await time([...installers[installer].run, ...command])
  result.result = 'passed'
})

/** Creates a project with a test and the settings of the recipes. */
async function createProject(name: string, packages: readonly string[]): Promise<string> {
  const project = join(folder, name)
  await mkdir(project)
  await cp(join(import.meta.dirname, 'project'), project, { recursive: true })
  const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'))
  const versions = [...packages, `msw@${await readMswVersion()}`].map((each) => {
    const at = each.lastIndexOf('@')
    return [each.slice(0, at), each.slice(at + 1)]
  })
  const devDependencies = {
    'petstore-sandbox': `file:${join(folder, `${tarball}`)}`,
    ...Object.fromEntries(versions),
  }
  const config = JSON.parse(await readFile(join(root, 'examples/jest/jest.config.json'), 'utf8'))
  const files = {
    'package.json': JSON.stringify({ name: 'consumer', private: true, devDependencies }),
    'jest.config.json': JSON.stringify({ ...config, testEnvironment: 'node' }),
    '.yarnrc.yml': 'nodeLinker: pnp\nenableTelemetry: false\nenableScripts: false\n',
    'yarn.lock': '', // It marks the project: the folder above has a package.json too.
  }
  for (const [file, text] of Object.entries(files)) await writeFile(join(project, file), text)
  return project
}
