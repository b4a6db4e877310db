import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { transformWithOxc } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleForBrowser } from './bundle.js'
import { Consumer } from './consumer.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const bin = join(root, 'node_modules/.bin')

let consumer: Consumer
beforeAll(async () => {
  consumer = await Consumer.create()
})
afterAll(() => consumer?.remove())

describe('the tarball', () => {
  const expected = [
    /^(LICENSE|package\.json|(README|CHANGELOG|SECURITY)\.md)$/,
    /^dist\/(esm|cjs)\/[\w/-]+\.(js|d\.ts)$/,
    /^dist\/cjs\/package\.json$/,
    /^dist\/console\/(index\.html|console\.(js|css|svg)|console-(create-test|html|json|junit|markup|preact)\.js|licenses\.md)$/,
    /^dist\/licenses\.md$/,
    /^scenarios\/[\w-]+(\.schema)?\.json$/,
    /^docs\/[\w/-]+\.md$/,
    /^(llms\.txt|skills\/petstore-sandbox\/SKILL\.md)$/,
  ]

  test('contains only the built program, the scenarios and the documents', () => {
    const others = consumer.files.filter((path) => !expected.some((pattern) => pattern.test(path)))
    expect(others).toEqual([])
  })

  test.each(expected.map((pattern) => [pattern]))('contains %s', (pattern) => {
    expect(consumer.files.some((path) => pattern.test(path))).toBe(true)
  })

  test('has at most 300 files and 900 kB', () => {
    expect(consumer.files.length).toBeLessThanOrEqual(300)
    expect(consumer.packedBytes).toBeLessThanOrEqual(900_000)
  })

  test('has the target of every link in its documents', async () => {
    const broken: string[] = []
    for (const page of consumer.files.filter((path) => path.endsWith('.md'))) {
      const links = (await readFile(join(root, page), 'utf8')).matchAll(/[^!]\[[^\]]*\]\(([^)#]+)/g)
      for (const [, link = ''] of links) {
        const isKnown = link.includes(':') || consumer.files.includes(join(dirname(page), link))
        if (!isKnown) broken.push(`${page}: ${link}`)
      }
    }
    expect(broken).toEqual([])
  })
})

/** Packages in minified bundles. */
const minified = [
  ...['preact', '@mswjs/data', 'es-toolkit', 'date-fns', 'outvariant', 'commander'],
  '@humanwhocodes/momoa',
]

describe('the licences', () => {
  test('name every package whose code is in the bundles', async () => {
    const directories = await Promise.all(['esm', 'cjs'].map(listScripts))
    const bundles = await Promise.all([...directories.flat(), 'mswjs-data.js'].map(readBuilt))
    // The bundler names the source of each module in a comment, except in minified bundles.
    const comments = bundles.flatMap((code) => [
      ...code.matchAll(/^\/\/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm),
    ])
    const names = new Set([...comments.map(([, name]) => name), ...minified])
    const licenses = await readBuilt('licenses.md')
    expect([...names]).toEqual(expect.arrayContaining(['zod', '@faker-js/faker']))
    expect([...names].filter((name) => !licenses.includes(`\n## ${name} `))).toEqual([])
  })

  test('of the console name preact', async () => {
    expect(await readBuilt('console/licenses.md')).toMatch(/^## preact - .*\(MIT\)$/m)
  })
})

/** Lists the JavaScript files of a directory of `dist`. */
async function listScripts(directory: string): Promise<string[]> {
  const names = await readdir(join(root, 'dist', directory))
  return names.filter((name) => name.endsWith('.js')).map((name) => `${directory}/${name}`)
}

function readBuilt(path: string): Promise<string> {
  return readFile(join(root, 'dist', path), 'utf8')
}

/** The values that each entry point exports, as ES module and as CommonJS. */
const exportedNames: [entryPoint: string, names: string[]][] = [
  [
    'petstore-sandbox',
    ['Problem', 'ScenarioError', 'StoreError', 'createSandbox', 'journalSerializer'],
  ],
  [
    'petstore-sandbox/node',
    [
      'Problem',
      'ScenarioError',
      'StoreError',
      'createSandbox',
      'journalSerializer',
      'openDirectoryStore',
      'openRedisStore',
      'readScenarioDirectory',
      'readScenarioFile',
    ],
  ],
  ['petstore-sandbox/server', ['createSandboxMiddleware', 'createSandboxServer']],
  ['petstore-sandbox/connect', ['RemoteError', 'connect']],
]

describe('in Node.js', () => {
  test.each([
    ...exportedNames,
    ['petstore-sandbox/browser', ['Problem', 'ScenarioError', 'StoreError', 'startSandbox']],
    ['petstore-sandbox/devtools', ['connectPanel', 'openPanel']],
    ['petstore-sandbox/vite', ['petstoreSandbox']],
  ])('%s exports %j', async (entryPoint, names) => {
    const code = `console.log(JSON.stringify(Object.keys(await import('${entryPoint}'))))`
    expect(JSON.parse(await consumer.runModule(code))).toEqual(names)
  })

  test('startSandbox of petstore-sandbox/browser says what to use', async () => {
    const start = `import { startSandbox } from 'petstore-sandbox/browser'\nawait startSandbox()`
    await expect(consumer.runModule(start)).rejects.toThrow('in Node.js, use createSandbox')
  })

  test.each(exportedNames)('%s exports %j in CommonJS', async (entryPoint, names) => {
    const code = `console.log(JSON.stringify(Object.keys(require('${entryPoint}'))))`
    await consumer.write('module.cjs', code)
    const { stdout } = await consumer.run('node module.cjs')
    expect(JSON.parse(stdout)).toEqual(names)
  })

  test('petstore-sandbox/server passes on pages that the package does not have', async () => {
    const output = await consumer.runModule(`
      import { createServer } from 'node:http'
      import { createSandboxMiddleware } from 'petstore-sandbox/server'

      const middleware = await createSandboxMiddleware({ pages: true })
      const server = createServer((req, res) => middleware(req, res, () => res.end('passed on')))
      await new Promise((resolve) => server.listen(0, resolve))
      const paths = ['', 'console.js', 'LICENSE', 'docs/recipes/express.md', 'docs/x.md', 'docs/decisions.md']
      for (const path of paths) {
        const response = await fetch('http://127.0.0.1:' + server.address().port + '/' + path)
        console.log(path, response.status, (await response.text()) === 'passed on')
      }
      process.exit()`)
    expect(output.trim().split('\n')).toEqual([
      '200 false',
      'console.js 200 false',
      'LICENSE 200 false',
      'docs/recipes/express.md 200 false',
      'docs/x.md 200 true',
      'docs/decisions.md 200 true',
    ])
  })

  test('examples/http/server.ts prints the inventory and exits', async () => {
    const source = await readFile(join(root, 'examples/http/server.ts'), 'utf8')
    const { code } = await transformWithOxc(source, 'server.ts')
    expect(await consumer.runModule(code)).toContain(
      "{ petId: 1, quantity: 1, status: 'available' }",
    )
  })
})

describe('an entry point for a test runner', () => {
  test.each([
    ['petstore-sandbox/vitest', 'vitest'],
    ['petstore-sandbox/playwright', '@playwright/test'],
  ])('%s cannot be imported without %s', async (entryPoint, runner) => {
    const load = consumer.runModule(`await import('${entryPoint}')`)
    await expect(load).rejects.toThrow(`Cannot find package '${runner}'`)
  })

  test('petstore-sandbox/playwright can be imported if @playwright/test is installed', async () => {
    await consumer.link('@playwright/test')
    const code = `console.log(Object.keys(await import('petstore-sandbox/playwright')).join())`
    expect(await consumer.runModule(code)).toBe('expect,routeSandbox,test\n')
  })

  test('Playwright finds petstore-sandbox/playwright-reporter by its name', async () => {
    await consumer.link('@playwright/test')
    await consumer.write(
      'playwright.config.js',
      `export default {
         testMatch: 'nothing.spec.js',
         reporter: 'petstore-sandbox/playwright-reporter',
       }`,
    )
    await consumer.write(
      'nothing.spec.js',
      `import { test } from '@playwright/test'
       test('nothing', () => {})`,
    )
    const { code, stdout } = await consumer.run(
      `node '${root}node_modules/@playwright/test/cli.js' test`,
    )
    expect(stdout).toContain('petstore-sandbox: no test has sent a request to a sandbox')
    expect(code).toBe(0)
  })

  const project = 'test/package/project'

  // `test/install/pools.test.ts` has the other pools.
  test('the package works in vitest', async () => {
    await consumer.link('vitest')
    for (const path of ['examples/in-process', 'examples/scenarios', 'examples/testing', project]) {
      await consumer.copy(path)
    }
    const reporters = '--reporter=default --reporter=petstore-sandbox/vitest-reporter'
    const { code, stdout } = await consumer.run(
      `'${bin}/vitest' run --root . --globals --maxWorkers 1 ${reporters} examples ${project}`,
    )
    expect(stdout).toMatch(/^petstore-sandbox: [1-9]\d* requests of \d+ tests$/m)
    const [, passed, all] = /Test Files {2}(\d+) passed \((\d+)\)/.exec(stdout) ?? []
    expect(Number(passed)).toBeGreaterThanOrEqual(6)
    expect(passed).toBe(all)
    expect(code).toBe(0)
  })
})

test('npx petstore-sandbox scenarios reads the scenarios of the package', async () => {
  const { code, stdout, stderr } = await consumer.run('npx petstore-sandbox scenarios')
  expect(stderr.replaceAll(/^npm warn .*\n/gm, '')).toBe('')
  expect(stdout).toMatch(/^default /m)
  expect(code).toBe(0)
})

test('npx petstore-sandbox mcp serves its tools', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const args = ['petstore-sandbox', 'mcp']
  await client.connect(new StdioClientTransport({ command: 'npx', args, cwd: consumer.folder }))
  const { tools } = await client.listTools()
  const { content } = await client.callTool({ name: 'report' })
  await client.close()
  expect(tools).toHaveLength(10)
  expect(content).toMatchObject([{ text: expect.stringContaining('Requests: 0.') }])
})

describe('in a browser', () => {
  test('npx msw init public --save copies the worker script of msw to the static files', async () => {
    const { code } = await consumer.run('npx msw init public --save')
    expect(code).toBe(0)
    const script = await readFile(join(consumer.folder, 'public/mockServiceWorker.js'), 'utf8')
    expect(script).toContain('Mock Service Worker')
  })

  test.each([
    ['petstore-sandbox/browser', 'examples/browser/mock.ts'],
    ['petstore-sandbox', 'in-process.js'],
  ])('%s imports no module of Node.js', async (_, entry) => {
    await consumer.copy('examples/browser')
    const module = `import { createSandbox } from 'petstore-sandbox'\nconsole.log(createSandbox)`
    await consumer.write('in-process.js', module)
    const { code, warnings } = await bundleForBrowser(consumer.folder, entry)
    expect(warnings).toEqual([])
    // The code of a copied test can import the test runner of Node.js.
    const own = code.replaceAll(/node:(?:test|assert\/strict)\b/g, '')
    expect(own).not.toMatch(/["'`]node:\w+["'`]|__vite-browser-external/)
    expect(code).toContain('low-stock')
  })

  test('petstore-sandbox/connect is one module without dependencies', async () => {
    const module = `import { connect } from 'petstore-sandbox/connect'\nconsole.log(connect)`
    await consumer.write('remote.js', module)
    const { code, warnings } = await bundleForBrowser(consumer.folder, 'remote.js')
    expect(warnings).toEqual([])
    expect(code).not.toMatch(/["'`]node:\w+["'`]|__vite-browser-external|_zod/)
    for (const format of ['esm', 'cjs']) {
      expect(await readBuilt(`${format}/connect.js`)).not.toMatch(/^import |\brequire\(/m)
    }
  })

  test('no file takes an export from the import of a part of a file, which Vite 5 and 6 remove', async () => {
    const files = consumer.files.filter((path) => /^dist\/.*\.js$/.test(path))
    expect(files).toContain('dist/esm/core.js')
    for (const file of files) {
      const text = await readFile(join(root, file), 'utf8')
      expect(text, file).not.toMatch(/\{[^{}]*\}\s*=\s*await\s+import\([^)]+\)\s*\.then/)
    }
  })

  test.each([
    ['node', 'createSandbox', /"createSandbox" is not exported by .*not-for-browsers\.js/],
    ['server', 'createSandboxServer', /is not exported by .*not-for-browsers\.js/],
    ['playwright', 'test', /"\.\/playwright" is not exported under the conditions/],
  ])('petstore-sandbox/%s cannot be bundled', async (entryPoint, name, message) => {
    const code = `import { ${name} } from 'petstore-sandbox/${entryPoint}'\nconsole.log(${name})`
    await consumer.write('page.js', code)
    await expect(bundleForBrowser(consumer.folder, 'page.js')).rejects.toThrow(message)
  })

  test.each(['node', 'server'])(
    'petstore-sandbox/%s explains why it cannot be loaded',
    async (entryPoint) => {
      const load = consumer.runModule(
        `await import('petstore-sandbox/${entryPoint}')`,
        'node --conditions=browser',
      )
      await expect(load).rejects.toThrow(
        'requires Node.js; in a browser, use petstore-sandbox/browser',
      )
    },
  )
})

describe('in TypeScript', () => {
  const everyEntryPoint = `
    import { setupServer } from 'msw/node'
    import { createSandbox, type InProcessSandbox, type JournalEntry, type Problem } from 'petstore-sandbox'
    import { type BrowserSandbox, startSandbox } from 'petstore-sandbox/browser'
    import { connect, type RemoteWorld } from 'petstore-sandbox/connect'
    import { openPanel, type PanelHandle } from 'petstore-sandbox/devtools'
    import { readScenarioFile, type ScenarioFile } from 'petstore-sandbox/node'
    import lowStock from 'petstore-sandbox/scenarios/low-stock'
    import { createSandboxServer, type SandboxServer } from 'petstore-sandbox/server'

    const sandbox: InProcessSandbox = await createSandbox({ scenario: lowStock })
    setupServer(...sandbox.handlers).listen()
    const file: ScenarioFile = await readScenarioFile('a.json')
    const page: BrowserSandbox = await startSandbox()
    const panel: PanelHandle = openPanel(page, { position: 'top-left' })
    const server: SandboxServer = await createSandboxServer({ sandbox })
    const remote: RemoteWorld = await connect({ url: 'http://127.0.0.1:4010', apiKey: 'sbx_free' })
    await remote.clock.freeze()
    const code = (problem: Problem): string => problem.code
    const last: JournalEntry | undefined = sandbox.world.requests.find().at(-1)
    export { code, file, last, page, panel, remote, server }`

  const shop = {
    name: 'shop',
    extends: 'default',
    clock: { now: '2026-03-01T09:00:00Z', frozen: true },
    pets: [
      { petId: 1, name: 'Bella', status: 'sold', weight: 12 },
      { petId: '9223372036854775807', name: 'Rex' },
    ],
    orders: [{ id: 1, petId: 1, status: 'approved' }],
    apiKeys: [{ key: 'acme-live-1', plan: 'pro' }],
    quota: { free: { minute: { remaining: 1 } }, pro: { ban: { seconds: 30 } } },
    faults: [
      { type: 'status', status: 503, rate: 0.5, operation: 'getPet' },
      { type: 'delay', delayMs: { min: 5, max: 10 } },
      { sequence: [{ status: 503 }, 'pass', { type: 'reset', phase: 'after' }] },
    ],
    rules: { additionalFields: 'ignore', messageStatus: 202 },
  }

  const scenarioTypes = `
    import { createSandbox, type ScenarioName, type ScenarioSource } from 'petstore-sandbox'
    import { startSandbox } from 'petstore-sandbox/browser'
    import { connect } from 'petstore-sandbox/connect'
    import { createSandbox as createNodeSandbox } from 'petstore-sandbox/node'
    import { test as playwrightTest } from 'petstore-sandbox/playwright'
    import lowStock from 'petstore-sandbox/scenarios/low-stock'
    import lowStockFile from 'petstore-sandbox/scenarios/low-stock.json' with { type: 'json' }
    import { createSandboxServer } from 'petstore-sandbox/server'
    import { test } from 'petstore-sandbox/vitest'
    import shop from './shop.json' with { type: 'json' }

    declare module 'petstore-sandbox' {
      interface ScenarioNames { 'my-shop': true }
    }

    const sandbox = await createSandbox({ scenario: shop })
    await sandbox.use([shop, lowStockFile, lowStock, 'my-shop', 'low-stock'])
    await sandbox.world.use([shop, lowStockFile, 'my-shop'])
    await startSandbox({ scenario: ['my-shop', lowStockFile], scenarios: [shop, lowStock] })
    await createNodeSandbox({ scenarioDirectory: '.', scenario: 'my-shop' })
    await createSandboxServer({ scenario: [shop, 'my-shop'] })
    const world = await connect({ url: 'http://a', apiKey: 'sbx_free' })
    await world.use(shop)
    await world.use(['my-shop', lowStockFile])
    await world.fork({ scenario: shop })
    test.override({ scenario: shop, sandboxOptions: { scenario: lowStockFile } })
    test.override({ scenario: ['my-shop', shop] })
    playwrightTest.use({ sandboxOptions: { scenario: shop } })
    const named = (name: string) => sandbox.use(name as ScenarioName)

    // @ts-expect-error: a misspelled option
    await createSandbox({ scenari: 'low-stock' })
    // @ts-expect-error
    await createSandbox({ scenario: 'low-stok' })
    // @ts-expect-error
    await createNodeSandbox({ scenario: ['low-stok'] })
    // @ts-expect-error
    await startSandbox({ scenario: 'low-stok' })
    // @ts-expect-error
    await createSandboxServer({ scenario: 'low-stok' })
    // @ts-expect-error
    await sandbox.use('low-stok')
    // @ts-expect-error
    await sandbox.world.use('low-stok')
    // @ts-expect-error
    await world.use('low-stok')
    // @ts-expect-error
    await world.fork({ scenario: 'low-stok' })
    // @ts-expect-error
    test.override({ scenario: 'low-stok' })
    test('fixture', async ({ sandbox }) => {
      await sandbox.use([shop, 'my-shop'])
      // @ts-expect-error
      await sandbox.use('low-stok')
    })
    // @ts-expect-error
    playwrightTest.use({ sandboxOptions: { scenario: 'low-stok' } })
    playwrightTest('fixture', async ({ sandbox }) => {
      await sandbox.use([shop, 'my-shop'])
      // @ts-expect-error
      await sandbox.use('low-stok')
    })
    // @ts-expect-error: a field that a scenario does not have
    const misspelt: ScenarioSource = { name: 'a', petz: [] }
    export { misspelt, named }`

  beforeAll(async () => {
    await consumer.link('vitest')
    await consumer.link('@playwright/test')
    await consumer.copy('examples')
    await consumer.write('shop.json', JSON.stringify(shop))
    await consumer.write('scenarios.ts', scenarioTypes)
    await consumer.write('entry-points.ts', everyEntryPoint)
    await consumer.write(
      'page.ts',
      `import { createSandbox } from 'petstore-sandbox'
       import { connect, type RemoteWorld } from 'petstore-sandbox/connect'
       import { openPanel } from 'petstore-sandbox/devtools'
       export const sandbox = await createSandbox()
       export const panel = openPanel(sandbox)
       export const world: RemoteWorld = await connect({ url: '/', apiKey: 'sbx_free' })`,
    )
    await consumer.write(
      'common.cts',
      `import { createSandbox, type InProcessSandbox, type Scenario } from 'petstore-sandbox'
       import { connect, type RemoteWorld } from 'petstore-sandbox/connect'
       import { readScenarioFile, type ScenarioFile } from 'petstore-sandbox/node'
       import lowStock from 'petstore-sandbox/scenarios/low-stock'
       import { createSandboxServer } from 'petstore-sandbox/server'

       const scenario: Scenario = lowStock
       export const sandbox: Promise<InProcessSandbox> = createSandbox({ scenario })
       export const file: Promise<ScenarioFile> = readScenarioFile('a.json')
       export const server = createSandboxServer()
       export const world: Promise<RemoteWorld> = connect({ url: 'http://a', apiKey: 'sbx_free' })`,
    )
  })

  const examples = 'examples/{http,in-process,playwright,remote,testing,sdk/src,sdk/test}/*.ts'
  const programs = `entry-points.ts ${examples}`

  test('every entry point has types for ES modules and CommonJS, and names of scenarios are checked', async () => {
    const options = '--module nodenext --resolveJsonModule --types node'
    expect(await findTypeErrors(`${options} ${programs} common.cts scenarios.ts`)).toEqual([])
  })

  test('every entry point has types with --moduleResolution bundler', async () => {
    const options = '--module esnext --moduleResolution bundler --types node'
    expect(await findTypeErrors(`${options} ${programs}`)).toEqual([])
  })

  test('the entry points for browsers have types that do not need the types of Node.js', async () => {
    const options = '--module esnext --moduleResolution bundler --types ""'
    expect(await findTypeErrors(`${options} page.ts examples/browser/*.ts`)).toEqual([])
  })
})

/** Returns the type errors of the programs and of this package, but not of other packages. */
async function findTypeErrors(args: string): Promise<string[]> {
  const options = '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false'
  const target = '--target es2023 --lib es2023,dom,dom.iterable'
  const { stdout } = await consumer.run(`'${bin}/tsc' ${options} ${target} ${args}`)
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
  return errors.filter((line) => !/^(\.\.|node_modules\/(?!petstore-sandbox\/))/.test(line))
}
