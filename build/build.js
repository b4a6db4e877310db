// Bundles the package into few files in dist: npm run build. Expects the declaration files of
// src/tsconfig.build.json in dist/types.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { reduceEventParser } from './event-parser.js'
import { reduceFaker } from './faker.js'
import { LicenseCollector } from './licenses.js'
import { mswjsDataEntry, reduceMswjsData } from './mswjs-data.js'
import { reduceOperationTables } from './operation-tables.js'
import { inlineStyles } from './styles.js'

const root = new URL('../', import.meta.url)
const dist = new URL('dist/', root)
const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8'))

/** Packages that are installed with this one, or by its user. All others are bundled. */
const installed = Object.keys({
  ...manifest.dependencies,
  ...manifest.peerDependencies,
  ...manifest.peerDependenciesMeta,
})
const bundledDependencies = new Set(['zod'])
const external = [
  /^node:/,
  ...Object.keys(manifest.imports),
  ...installed
    .filter((name) => !bundledDependencies.has(name))
    .map((name) => new RegExp(`^${name}(/|$)`)),
]

/** Modules that form a file with their dependencies. A module of several files is in the first one. */
const groups = [
  {
    name: 'core',
    test: /\/src\/(engine\/(platform|respond)|service\/validation\/secret|store\/store|world\/scenario\/library|world\/quota\/ban-risk)\.ts$/,
  },
  // The command does not load it. A page would load one file more: there, it is part of the core.
  { name: 'sandbox', test: /\/src\/transport\/in-process\/(sandbox|options)\.ts$/ },
  { name: 'create', test: /\/src\/transport\/in-process\/create\.ts$/ },
  { name: 'files', test: /\/src\/(world\/scenario\/files|cli\/options)\.ts$/ },
  // A command that serves nothing does not load the HTTP server.
  { name: 'access', test: /\/src\/transport\/http\/(access|hosts)\.ts$/ },
  // Tests in Node.js do not load the HTTP server.
  { name: 'in-process', test: /\/src\/transport\/in-process\/node\.ts$/ },
  { name: 'http', test: /\/src\/transport\/http\/create\.ts$/ },
  { name: 'control', test: /\/src\/engine\/control\.ts$/ },
  { name: 'command-line', test: /\/src\/cli\/program\.ts$/ },
]

function toGroups(format) {
  const [core, sandbox, ...others] = groups
  const test = new RegExp(`${core.test.source}|${sandbox.test.source}`)
  const all = format === 'cjs' ? groups : [{ name: 'core', test }, ...others]
  return all.map((group, index) => ({ ...group, priority: all.length - index }))
}

/** The `imports` of package.json do not apply in a folder with a package.json of its own. */
const commonJsPaths = { '#msw-http': manifest.imports['#msw-http'].node }

/** The builds of the package, and its entry points. */
const builds = [
  {
    directory: 'esm',
    format: 'esm',
    entryPoints: [
      ...['index', 'node', 'server', 'browser', 'vite', 'vitest', 'vitest-browser', 'playwright'],
      ...['vitest-reporter', 'playwright-reporter'],
    ],
  },
  // Jest loads CommonJS, and supports no native import(). The command starts faster as CommonJS:
  // importing node:http as an ES module would load the fetch of Node.js.
  {
    directory: 'cjs',
    format: 'cjs',
    entryPoints: ['index', 'node', 'server', 'cli'],
    output: { dynamicImportInCjs: false },
  },
]

/** The entry points with declarations. */
const declared = [
  ...['index', 'node', 'server', 'browser', 'devtools', 'connect', 'vitest', 'playwright'],
  ...['vite', 'vitest-reporter', 'playwright-reporter'],
]

/** Options for bundling the source of the package. */
const sourceOptions = {
  external,
  resolve: {
    alias: {
      '@mswjs/data': toPath('mswjs-data.js'),
      '@humanwhocodes/momoa': toPath('momoa.js'),
      commander: toPath('commander.js'),
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

const licenses = new LicenseCollector()

await bundleDependencies()
for (const build of builds) await bundlePackage(build)
await bundleConnect()
await bundlePanel()
await bundleDeclarations('esm', declared)
await bundleDeclarations('cjs', ['index', 'node', 'server', 'connect'])
await writeFile(new URL('licenses.md', dist), await licenses.toMarkdown())
await writeScenarioModules()
await writeBrowserModule()
await writeBrowserInNode()

/** Bundles packages of which every part is used to minified modules: nobody reads their stack traces. */
async function bundleDependencies() {
  const reduced = reduceMswjsData(manifest.devDependencies['@mswjs/data'])
  await bundleDependency('mswjs-data.js', mswjsDataEntry, 'neutral', [reduced])
  await bundleDependency('commander.js', 'commander', 'node')
  await bundleDependency('momoa.js', '@humanwhocodes/momoa', 'neutral')
}

async function bundleDependency(file, input, platform, plugins = []) {
  const bundle = await rolldown({
    cwd: fileURLToPath(root),
    input,
    platform,
    resolve: { mainFields: ['module', 'main'] },
    plugins: [...plugins, licenses.plugin()],
  })
  await bundle.write({ file: toPath(file), format: 'esm', minify: true })
  await bundle.close()
}

async function bundlePackage({ directory, format, entryPoints, output }) {
  await rm(new URL(`${directory}/`, dist), { recursive: true, force: true })
  const bundle = await rolldown({
    cwd: fileURLToPath(root),
    input: Object.fromEntries(entryPoints.map((name) => [name, `src/${name}.ts`])),
    // For Node.js, an ES module would import node:module.
    platform: format === 'cjs' ? 'node' : 'neutral',
    ...sourceOptions,
    plugins: [
      ...[reduceFaker(), separate('/panel/sandbox.js', 'panel.js')],
      // Only programs in Node.js load it.
      ...(format === 'esm' ? [separate('@humanwhocodes/momoa', '../cjs/momoa.js')] : []),
      ...[separate('/copies/create-test.js', 'create-test.js'), licenses.plugin()],
      separate('/import-module.js', 'import-module.js'),
    ],
  })
  await bundle.write({
    dir: toPath(directory),
    format,
    paths: format === 'cjs' ? commonJsPaths : {},
    ...outputOptions,
    codeSplitting: { groups: toGroups(format) },
    ...output,
  })
  await bundle.close()
  if (format === 'cjs') await writeCommonJsFiles(directory)
}

/**
 * Bundles the declarations of each entry point to one file. What several of them export is in
 * `types.d.ts` and `http-types.d.ts`, because a class that is declared twice is two types.
 */
async function bundleDeclarations(directory, entryPoints) {
  const toInput = (name) => [name, toPath(`types/src/${name}.d.ts`)]
  const bundle = await rolldown({
    cwd: fileURLToPath(root),
    input: Object.fromEntries(entryPoints.map(toInput)),
    external: [/^[^./]/],
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, oxc: true, tsconfig: false })],
  })
  await bundle.write({
    dir: toPath(directory),
    format: 'esm',
    chunkFileNames: '[name].d.ts',
    codeSplitting: {
      groups: [
        // Programs for browsers have no types of Node.js.
        { name: 'types', test: /^(?!.*\/transport\/http\/)/, minShareCount: 2, priority: 1 },
        { name: 'http-types', minShareCount: 2 },
      ],
    },
  })
  await bundle.close()
  // The code of a module that no declaration needs.
  await rm(new URL(`${directory}/rolldown-runtime.d.ts`, dist), { force: true })
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
async function bundleConnect() {
  const bundle = await rolldown({
    cwd: fileURLToPath(root),
    input: { connect: 'src/connect.ts' },
    platform: 'neutral',
    ...sourceOptions,
    plugins: [await reduceTables(), reduceEventParser(), licenses.plugin()],
    // The schemas of a module are not needed for its functions.
    treeshake: { manualPureFunctions: ['z', 'timestampSchema', 'annotate', 'findOriginal'] },
    // What the others load later is part of the one file.
    checks: { ineffectiveDynamicImport: false },
  })
  for (const format of ['esm', 'cjs']) {
    await bundle.write({ dir: toPath(format), format, ...outputOptions })
  }
  await bundle.close()
}

/**
 * Bundles the panel, which petstore-sandbox/devtools and petstore-sandbox/browser share, and what both
 * load for "Copy as test". None of these files contains the sandbox. The panel itself loads no file:
 * otherwise Vite would move its helper for that to a file that each page with a sandbox has to load.
 */
async function bundlePanel() {
  const plugins = [
    ...[await reduceTables(), reduceEventParser()],
    ...[inlineStyles(), licenses.plugin()],
  ]
  const separateTest = separate('/copies/create-test.js', 'create-test.js')
  const panel = { devtools: 'src/devtools.ts', panel: 'src/console/panel/sandbox.ts' }
  const bundles = [
    { input: panel, plugins: [separateTest, ...plugins] },
    // A file that it shares with the panel would be larger than what both contain.
    { input: { 'create-test': 'src/console/copies/create-test.ts' }, plugins },
  ]
  for (const options of bundles) {
    const bundle = await rolldown({
      cwd: fileURLToPath(root),
      platform: 'neutral',
      ...sourceOptions,
      ...options,
      preserveEntrySignatures: 'allow-extension',
      // Less code than the automatic runtime, which needs a module of its own.
      transform: {
        jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
        inject: { h: ['preact', 'h'], Fragment: ['preact', 'Fragment'] },
      },
      treeshake: {
        propertyReadSideEffects: false,
        manualPureFunctions: [
          'annotate',
          'findOriginal',
          'Object.keys',
          'Object.entries',
          'RegExp',
        ],
      },
    })
    await bundle.write({ dir: toPath('esm'), format: 'esm', ...outputOptions, minify: true })
    await bundle.close()
  }
}

/** Returns the plugin that replaces the definitions of the operations. */
function reduceTables() {
  return reduceOperationTables(toPath(''), {
    cwd: fileURLToPath(root),
    ...sourceOptions,
  })
}

/** Makes the files of a directory CommonJS, and writes the one that imports the modules of a user. */
async function writeCommonJsFiles(directory) {
  await writeFile(new URL(`${directory}/package.json`, dist), '{ "type": "commonjs" }\n')
  const code = 'exports.importModule = (url) => import(url)\n'
  await writeFile(new URL(`${directory}/import-module.js`, dist), code)
}

/** Writes each scenario file as a module. */
async function writeScenarioModules() {
  for (const directory of ['esm', 'cjs']) await mkdir(new URL(`${directory}/scenarios/`, dist))
  const files = await readdir(new URL('scenarios/', root))
  for (const file of files.filter((name) => !name.endsWith('.schema.json'))) {
    const json = (await readFile(new URL(`scenarios/${file}`, root), 'utf8')).trim()
    const name = file.replace('.json', '')
    const type = "import type { Scenario } from '../index.js'\ndeclare const scenario: Scenario\n"
    await writeModule(
      `esm/scenarios/${name}`,
      `export default ${json}\n`,
      `${type}export default scenario\n`,
    )
    await writeModule(
      `cjs/scenarios/${name}`,
      `module.exports = ${json}\n`,
      `${type}export = scenario\n`,
    )
  }
}

/**
 * Writes the module that replaces the entry points for Node.js in a browser. Some bundlers ignore a
 * condition that is null.
 */
async function writeBrowserModule() {
  const message = [
    'this entry point of petstore-sandbox requires Node.js;',
    'in a browser, use petstore-sandbox/browser; in Jest, use the environment jest-fixed-jsdom',
  ].join(' ')
  await writeFile(new URL('esm/not-for-browsers.js', dist), `throw new Error('${message}')\n`)
}

/**
 * Writes the entry point `browser` for Node.js, which cannot import msw/browser of msw 3. An
 * environment such as jsdom has a page.
 */
async function writeBrowserInNode() {
  const code = `export { Problem, ScenarioError, StoreError } from './index.js'
export async function startSandbox(options) {
  if (typeof window === 'undefined') {
    throw new Error('startSandbox requires a page; in Node.js, use createSandbox of petstore-sandbox')
  }
  const browser = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ './browser.js')
  return browser.startSandbox(options)
}
`
  await writeFile(new URL('esm/browser-in-node.js', dist), code)
}

async function writeModule(path, code, declarations) {
  await writeFile(new URL(`${path}.js`, dist), code)
  await writeFile(new URL(`${path}.d.ts`, dist), declarations)
}

function toPath(path) {
  return fileURLToPath(new URL(path, dist))
}
