// Bundles the package into few files in dist: npm run build. Expects the declaration files of
// src/tsconfig.build.json in dist/types.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { build } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import manifest from '../package.json' with { type: 'json' }
import { reduceEventParser } from './event-parser.js'
import { reduceFaker } from './faker.js'
import { toLicenses } from './licenses.js'
import { mcpEntry, reduceMcp } from './mcp.js'
import { mswjsDataEntry, reduceMswjsData } from './mswjs-data.js'
import { reduceOperationTables } from './operation-tables.js'
import { inlineStyles } from './styles.js'

/** Packages that are installed with this one, or by its user. All others, and zod, are bundled. */
const { zod, ...installed } = {
  ...manifest.dependencies,
  ...manifest.peerDependencies,
  ...manifest.peerDependenciesMeta,
}
const external = [
  /^node:/,
  ...Object.keys(manifest.imports),
  ...Object.keys(installed).map((name) => new RegExp(`^${name}(/|$)`)),
]

/**
 * Modules that form a file with their dependencies. A module of several files is in the first one. In
 * the packed package, a file below 32 kB takes almost no room beside the file of the same name of the
 * other build.
 */
const core =
  /\/src\/(engine\/(platform|respond)|service\/validation\/secret|store\/store|world\/scenario\/library|world\/quota\/ban-risk)\.ts$/
const sandbox = /\/src\/transport\/in-process\/(sandbox|options)\.ts$/
const groups = [
  { name: 'create', test: /\/src\/transport\/in-process\/create\.ts$/ },
  { name: 'files', test: /\/src\/(world\/scenario\/files|cli\/options)\.ts$/ },
  // A command that serves nothing does not load the HTTP server.
  { name: 'access', test: /\/src\/transport\/http\/(access|hosts)\.ts$/ },
  // Tests in Node.js do not load the HTTP server.
  { name: 'in-process', test: /\/src\/transport\/in-process\/node\.ts$/ },
  { name: 'requests', test: /\/src\/transport\/http\/(clients|request|respond)\.ts$/ },
  { name: 'http', test: /\/src\/transport\/http\/create\.ts$/ },
  { name: 'control', test: /\/src\/engine\/control\.ts$/ },
  { name: 'animals', test: /^\0faker:/, maxSize: 30_000 },
  { name: 'command-line', test: /\/src\/cli\/program\.ts$/ },
  { name: 'verify', test: /\/src\/verify\/run\.ts$/ },
]

/** The entry points with declarations. */
const declared = [
  ...['index', 'node', 'server', 'browser', 'devtools', 'connect', 'vitest', 'playwright'],
  ...['vite', 'vitest-reporter', 'playwright-reporter'],
]

/** The declaration files that CommonJS has, too. */
const required = /^(index|node|server|connect|types|(sandbox|http)-types)\.d\.ts$/

const requiresNode = [
  'this entry point of petstore-sandbox requires Node.js;',
  'in a browser, use petstore-sandbox/browser; in Jest, use the environment jest-fixed-jsdom',
].join(' ')

/** Files of dist that are not bundled, and their content. */
const writtenFiles = {
  'cjs/package.json': '{ "type": "commonjs" }\n',
  // Imports the modules of a user.
  'cjs/import-module.js': 'exports.importModule = (url) => import(url)\n',
  // Replaces the entry points for Node.js in a browser. Some bundlers ignore a condition that is null.
  'esm/not-for-browsers.js': `throw new Error('${requiresNode}')\n`,
  // The entry point `browser` for Node.js, which cannot import msw/browser of msw 3. An environment
  // such as jsdom has a page.
  'esm/browser-in-node.js': `export { Problem, ScenarioError, StoreError } from './index.js'
export async function startSandbox(options) {
  if (typeof window === 'undefined') {
    throw new Error('startSandbox requires a page; in Node.js, use createSandbox of petstore-sandbox')
  }
  const browser = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ './browser.js')
  return browser.startSandbox(options)
}
`,
}

/** Options for bundling the source of the package. */
const sourceOptions = {
  external,
  platform: 'neutral',
  resolve: {
    alias: {
      '@mswjs/data': resolve('dist/mswjs-data.js'),
      '@humanwhocodes/momoa': resolve('dist/momoa.js'),
      commander: resolve('dist/commander.js'),
    },
    mainFields: ['module', 'main'],
  },
  optimization: { inlineConst: true },
  tsconfig: false,
}

const outputOptions = {
  entryFileNames: '[name].js',
  chunkFileNames: '[name].js',
  comments: { jsdoc: false, legal: false },
}

const reduceTables = await reduceOperationTables()
const bundles = [
  // Packages of which every part is used are minified: nobody reads their stack traces.
  await bundleDependency('mswjs-data.js', mswjsDataEntry, 'neutral', [reduceMswjsData()]),
  await bundleDependency('commander.js', 'commander', 'node'),
  await bundleDependency('momoa.js', '@humanwhocodes/momoa', 'neutral'),
  await bundleModules(),
  await bundleCommonJs(),
  await bundleMcp(),
  await bundleConnect('esm'),
  await bundleConnect('cjs'),
  await bundlePanel(),
  await bundleCopiedTest(),
]
await writeFile('dist/licenses.md', await toLicenses(bundles.flatMap(({ output }) => output)))
await bundleDeclarations()
await writeScenarioModules()
for (const [file, content] of Object.entries(writtenFiles)) await writeFile(`dist/${file}`, content)

function bundleDependency(file, input, platform, plugins = []) {
  return build({
    input,
    platform,
    resolve: { mainFields: ['module', 'main'] },
    plugins,
    output: { file: `dist/${file}`, minify: true },
  })
}

function bundleModules() {
  return build({
    ...sourceOptions,
    input: toInput([
      ...['index', 'node', 'server', 'browser', 'vite', 'vitest', 'vitest-browser', 'playwright'],
      ...['vitest-reporter', 'playwright-reporter'],
    ]),
    plugins: [
      reduceFaker(),
      separate('/panel/sandbox.js', 'panel.js'),
      separate('/copies/create-test.js', 'create-test.js'),
      // Only programs in Node.js load it.
      separate('@humanwhocodes/momoa', '../cjs/momoa.js'),
    ],
    output: {
      dir: 'dist/esm',
      cleanDir: true,
      ...outputOptions,
      // A page would load one file more for the sandbox.
      codeSplitting: {
        groups: [{ name: 'core', test: (id) => core.test(id) || sandbox.test(id) }, ...groups],
      },
    },
  })
}

/**
 * Jest loads CommonJS, and supports no native import(). The command starts faster as CommonJS:
 * importing node:http as an ES module would load the fetch of Node.js.
 */
function bundleCommonJs() {
  return build({
    ...sourceOptions,
    input: toInput(['index', 'node', 'server', 'cli']),
    external: [...external, /^@modelcontextprotocol\/server/],
    // An ES module would import node:module.
    platform: 'node',
    plugins: [reduceFaker(), separate('/import-module.js', 'import-module.js')],
    output: {
      dir: 'dist/cjs',
      cleanDir: true,
      format: 'cjs',
      // The `imports` of package.json do not apply in a folder with a package.json of its own.
      paths: {
        '#msw-http': manifest.imports['#msw-http'].node,
        '@modelcontextprotocol/server': './mcp.js',
        '@modelcontextprotocol/server/stdio': './mcp.js',
      },
      dynamicImportInCjs: false,
      ...outputOptions,
      // The command does not load the sandbox.
      codeSplitting: {
        groups: [{ name: 'core', test: core }, { name: 'sandbox', test: sandbox }, ...groups],
      },
    },
  })
}

/**
 * Bundles the library of the command `mcp` to one file. It takes zod from the installed package: with
 * the bundled one, all commands would load more of zod.
 */
function bundleMcp() {
  return build({
    input: mcpEntry,
    platform: 'node',
    external: [/^zod/],
    plugins: [reduceMcp()],
    output: { file: 'dist/cjs/mcp.js', format: 'cjs', minify: true },
  })
}

function toInput(entryPoints) {
  return Object.fromEntries(entryPoints.map((name) => [name, `src/${name}.ts`]))
}

/**
 * Bundles the declarations of each entry point to one file. What several of them export is in files of
 * its own, because a class that is declared twice is two types. `dist/cjs/types.d.ts` serves both
 * formats. The others are copied, because the types of msw differ between them.
 */
async function bundleDeclarations() {
  const { output } = await build({
    input: Object.fromEntries(declared.map((name) => [name, `dist/types/src/${name}.d.ts`])),
    external: [/^[^./]/],
    plugins: [
      {
        name: 'types-of-faults',
        // tsc imports them from an entry point, of which the shared file would become a part.
        resolveId: {
          order: 'pre',
          handler: (id, importer) =>
            importer?.endsWith('/control/scenarios.d.ts') && id === '../index.js'
              ? resolve('dist/types/src/world/faults/schema.d.ts')
              : undefined,
        },
      },
      dts({ dtsInput: true, emitDtsOnly: true, oxc: true, tsconfig: false }),
    ],
    output: {
      chunkFileNames: '[name].d.ts',
      codeSplitting: {
        groups: [
          { name: 'types', test: /\/src\/(service|world|store|report|control|engine)\// },
          { name: 'sandbox-types', test: /\/(in-process\/\w+|journal-serializer)\.d\.ts$/ },
          // Programs for browsers have no types of Node.js.
          { name: 'http-types', test: /\/transport\/http\//, minShareCount: 2 },
          // CommonJS has no types of msw/browser.
          { name: 'page-types', minShareCount: 2 },
        ],
      },
    },
    write: false,
  })
  for (const { fileName, code } of output) {
    // The code of a module that no declaration needs.
    if (fileName === 'rolldown-runtime.d.ts') continue
    if (required.test(fileName)) await writeFile(`dist/cjs/${fileName}`, code)
    if (fileName === 'types.d.ts') continue
    await writeFile(`dist/esm/${fileName}`, code.replaceAll('"./types.js"', '"../cjs/types.js"'))
  }
}

/** Returns a plugin that loads a module that few pages need, and what it imports, from another file. */
function separate(path, file) {
  return {
    name: 'separate',
    resolveId: (id, importer) =>
      importer && join(dirname(importer), id).endsWith(path)
        ? { id: `./${file}`, external: true }
        : undefined,
  }
}

/**
 * Bundles petstore-sandbox/connect to one file per format: it shares no file with the others, because
 * those contain the whole sandbox.
 */
function bundleConnect(format) {
  return build({
    ...sourceOptions,
    input: 'src/connect.ts',
    plugins: [reduceTables, reduceEventParser()],
    // The schemas of a module are not needed for its functions.
    treeshake: { manualPureFunctions: ['z', 'timestampSchema', 'annotate', 'findOriginal'] },
    // What the others load later is part of the one file.
    checks: { ineffectiveDynamicImport: false },
    output: { dir: `dist/${format}`, format, ...outputOptions },
  })
}

/**
 * Bundles the panel, which petstore-sandbox/devtools and petstore-sandbox/browser share, and what both
 * load for "Copy as test". None of these files contains the sandbox. The panel itself loads no file:
 * otherwise Vite would move its helper for that to a file that each page with a sandbox has to load.
 */
function bundlePanel() {
  const panel = { devtools: 'src/devtools.ts', panel: 'src/console/panel/sandbox.ts' }
  return bundlePreact(panel, [separate('/copies/create-test.js', 'create-test.js')])
}

/** A file that it shares with the panel would be larger than what both contain. */
function bundleCopiedTest() {
  return bundlePreact('src/console/copies/create-test.ts')
}

function bundlePreact(input, plugins = []) {
  return build({
    ...sourceOptions,
    input,
    plugins: [...plugins, reduceTables, reduceEventParser(), inlineStyles()],
    preserveEntrySignatures: 'allow-extension',
    // Less code than the automatic runtime, which needs a module of its own.
    transform: {
      jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
      inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
    },
    treeshake: {
      propertyReadSideEffects: false,
      manualPureFunctions: ['annotate', 'findOriginal', 'Object.keys', 'Object.entries', 'RegExp'],
    },
    output: { dir: 'dist/esm', ...outputOptions, minify: true },
  })
}

/** Writes each scenario file as a module. */
async function writeScenarioModules() {
  const type = "import type { Scenario } from '../index.js'\ndeclare const scenario: Scenario\n"
  const forms = [
    {
      directory: 'dist/esm/scenarios',
      start: 'export default',
      typeEnd: 'export default scenario',
    },
    { directory: 'dist/cjs/scenarios', start: 'module.exports =', typeEnd: 'export = scenario' },
  ]
  const files = await readdir('scenarios')
  for (const { directory, start, typeEnd } of forms) {
    await mkdir(directory)
    for (const file of files.filter((name) => !name.endsWith('.schema.json'))) {
      const json = (await readFile(`scenarios/${file}`, 'utf8')).trim()
      const path = `${directory}/${file.replace('.json', '')}`
      await writeFile(`${path}.js`, `${start} ${json}\n`)
      await writeFile(`${path}.d.ts`, `${type}${typeEnd}\n`)
    }
  }
}
