// Bundles the package into few files in dist: npm run build. Expects the declaration files of
// src/tsconfig.build.json in dist/types.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { build } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import manifest from '../package.json' with { type: 'json' }
import { reduceFaker } from './faker.js'
import { toLicenses } from './licenses.js'
import { reduceMswjsData } from './mswjs-data.js'
import { reduceOperationTables } from './operation-tables.js'
import { replaceModules } from './replace-modules.js'
import { inlineStyles } from './styles.js'

/** Packages that are installed with this one, or by its user. All others, and zod, are bundled. */
const { zod, ...installed } = {
  ...manifest.dependencies,
  ...manifest.peerDependencies,
  ...manifest.peerDependenciesMeta,
}

/** Options for bundling the source of the package. */
const sourceOptions = {
  external: [
    /^node:/,
    ...Object.keys(manifest.imports),
    ...Object.keys(installed).map((name) => new RegExp(`^${name}(/|$)`)),
  ],
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

/**
 * Files, and the modules that form them with their dependencies. A module of several files is in the
 * first one. In the packed package, a file below 32 kB takes almost no room beside the file of the same
 * name of the other build.
 */
const groups = [
  toGroup('create', 'transport/in-process/create'),
  toGroup('files', 'world/scenario/files|cli/options'),
  // A command that serves nothing does not load the HTTP server.
  toGroup('access', 'transport/http/(access|hosts)'),
  // Tests in Node.js do not load the HTTP server.
  toGroup('in-process', 'transport/in-process/node'),
  toGroup('requests', 'transport/http/(clients|request|respond)'),
  toGroup('http', 'transport/http/create'),
  toGroup('control', 'engine/control'),
  { name: 'animals', test: /^\0replaced:faker:/, maxSize: 30_000 },
  toGroup('command-line', 'cli/program'),
  toGroup('verify', 'verify/run'),
]
const core =
  'engine/(platform|respond)|service/validation/secret|store/store|world/scenario/library|world/quota/ban-risk'
const sandbox = 'transport/in-process/(sandbox|options)'

function toGroup(name, modules) {
  return { name, test: new RegExp(`/src/(${modules})\\.ts$`) }
}

function toInput(entryPoints) {
  return Object.fromEntries(entryPoints.map((name) => [name, `src/${name}.ts`]))
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

/** Packages of which every part is used are minified: nobody reads their stack traces. */
function bundleDependency(input, file, { format = 'es', ...options } = {}) {
  return build({
    input,
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    ...options,
    output: { file: `dist/${file}`, format, minify: true },
  })
}

const reduceTables = await reduceOperationTables()
const createTest = separate('/copies/create-test.js', 'create-test.js')

/** Calls without effects, beside those that the bundler finds. */
const pureFunctions = ['annotate', 'findOriginal', 'Object.keys', 'Object.entries', 'RegExp']

/** Options for the panel, and for what it loads for "Copy as test". */
const panelOptions = {
  ...sourceOptions,
  preserveEntrySignatures: 'allow-extension',
  // Less code than the automatic runtime, which needs a module of its own.
  transform: {
    jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
    inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
  },
  treeshake: { propertyReadSideEffects: false, manualPureFunctions: pureFunctions },
  output: { dir: 'dist/esm', ...outputOptions, minify: true },
}

/**
 * Options for petstore-sandbox/connect, which is one file per format: it shares no file with the
 * others, because those contain the whole sandbox.
 */
const connectOptions = {
  ...sourceOptions,
  input: 'src/connect.ts',
  plugins: [reduceTables],
  treeshake: {
    propertyReadSideEffects: false,
    // The schemas of a module are not needed for its functions.
    manualPureFunctions: [...pureFunctions, 'z', 'timestampSchema'],
  },
  // What the others load later is part of the one file.
  checks: { ineffectiveDynamicImport: false },
}

await Promise.all(
  ['dist/esm', 'dist/cjs'].map((path) => rm(path, { recursive: true, force: true })),
)
const dependencies = await Promise.all([
  bundleDependency('mswjs-data', 'mswjs-data.js', {
    platform: 'neutral',
    plugins: [reduceMswjsData()],
  }),
  bundleDependency('commander', 'commander.js'),
  bundleDependency('@humanwhocodes/momoa', 'momoa.js', { platform: 'neutral' }),
  // It takes zod from the installed package: with the bundled one, all commands would load more of zod.
  bundleDependency('mcp', 'cjs/mcp.js', {
    format: 'cjs',
    external: [/^zod/],
    plugins: [
      replaceModules([
        [
          /^mcp$/,
          `export { McpServer } from '@modelcontextprotocol/server'
          export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'`,
        ],
        // Without ajv, which validates what clients enter in forms. No tool asks for that.
        [
          /^@modelcontextprotocol\/server\/_shims$/,
          `export { default as process } from 'node:process'
          export class DefaultJsonSchemaValidator {}`,
        ],
      ]),
    ],
  }),
])
const bundles = await build([
  {
    ...sourceOptions,
    input: toInput([
      ...['index', 'node', 'server', 'browser', 'vite', 'vitest', 'vitest-browser', 'playwright'],
      ...['vitest-reporter', 'playwright-reporter'],
    ]),
    plugins: [
      reduceFaker(),
      separate('/panel/sandbox.js', 'panel.js'),
      createTest,
      // Only programs in Node.js load it.
      separate('@humanwhocodes/momoa', '../cjs/momoa.js'),
    ],
    output: {
      dir: 'dist/esm',
      ...outputOptions,
      // A page would load one file more for the sandbox.
      codeSplitting: { groups: [toGroup('core', `${core}|${sandbox}`), ...groups] },
    },
  },
  // Jest loads CommonJS, and supports no native import(). The command starts faster as CommonJS:
  // importing node:http as an ES module would load the fetch of Node.js.
  {
    ...sourceOptions,
    input: toInput(['index', 'node', 'server', 'cli']),
    external: [...sourceOptions.external, /^@modelcontextprotocol\/server/],
    // An ES module would import node:module.
    platform: 'node',
    plugins: [reduceFaker(), separate('/import-module.js', 'import-module.js')],
    output: {
      dir: 'dist/cjs',
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
      codeSplitting: { groups: [toGroup('core', core), toGroup('sandbox', sandbox), ...groups] },
    },
  },
  { ...connectOptions, output: { dir: 'dist/esm', ...outputOptions } },
  { ...connectOptions, output: { dir: 'dist/cjs', format: 'cjs', ...outputOptions } },
  // petstore-sandbox/devtools and petstore-sandbox/browser share the panel. It does not contain the
  // sandbox, and loads no file: otherwise Vite would move its helper for that to a file that each page
  // with a sandbox has to load.
  {
    ...panelOptions,
    input: { devtools: 'src/devtools.ts', panel: 'src/console/panel/sandbox.ts' },
    plugins: [createTest, reduceTables, inlineStyles()],
  },
  // A file that it shares with the panel would be larger than what both contain.
  { ...panelOptions, input: 'src/console/copies/create-test.ts', plugins: [reduceTables] },
])
const chunks = [...dependencies, ...bundles].flatMap(({ output }) => output)
await writeFile('dist/licenses.md', await toLicenses(chunks))
await bundleDeclarations()
await writeScenarioModules()

/** Files of dist that are not bundled, and their content. */
const writtenFiles = {
  'cjs/package.json': '{ "type": "commonjs" }\n',
  // Imports the modules of a user.
  'cjs/import-module.js': 'exports.importModule = (url) => import(url)\n',
  // Replaces the entry points for Node.js in a browser. Some bundlers ignore a condition that is null.
  'esm/not-for-browsers.js': `throw new Error(
  'this entry point of petstore-sandbox requires Node.js; ' +
    'in a browser, use petstore-sandbox/browser; in Jest, use the environment jest-fixed-jsdom',
)
`,
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
for (const [file, content] of Object.entries(writtenFiles)) await writeFile(`dist/${file}`, content)

/**
 * Bundles the declarations of each entry point to one file. What several of them export is in files of
 * its own, because a class that is declared twice is two types. `dist/cjs/types.d.ts` serves both
 * formats. The others are copied, because the types of msw differ between them.
 */
async function bundleDeclarations() {
  const entryPoints = [
    ...['index', 'node', 'server', 'browser', 'devtools', 'connect', 'vitest', 'playwright'],
    ...['vite', 'vitest-reporter', 'playwright-reporter'],
  ]
  const inCommonJs = /^(index|node|server|connect|types|(sandbox|http)-types)\.d\.ts$/
  const { output } = await build({
    input: Object.fromEntries(entryPoints.map((name) => [name, `dist/types/src/${name}.d.ts`])),
    external: [/^[^./]/],
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, oxc: true, tsconfig: false })],
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
    if (inCommonJs.test(fileName)) await writeFile(`dist/cjs/${fileName}`, code)
    if (fileName === 'types.d.ts') continue
    await writeFile(`dist/esm/${fileName}`, code.replaceAll('"./types.js"', '"../cjs/types.js"'))
  }
}

/** Writes each scenario file as a module. */
async function writeScenarioModules() {
  const type = "import type { Scenario } from '../index.js'\ndeclare const scenario: Scenario\n"
  const formats = {
    esm: ['export default', 'export default scenario'],
    cjs: ['module.exports =', 'export = scenario'],
  }
  const files = await readdir('scenarios')
  for (const [format, [start, typeEnd]] of Object.entries(formats)) {
    await mkdir(`dist/${format}/scenarios`)
    for (const file of files.filter((name) => !name.endsWith('.schema.json'))) {
      const json = (await readFile(`scenarios/${file}`, 'utf8')).trim()
      const path = `dist/${format}/scenarios/${file.replace('.json', '')}`
      await writeFile(`${path}.js`, `${start} ${json}\n`)
      await writeFile(`${path}.d.ts`, `${type}${typeEnd}\n`)
    }
  }
}
