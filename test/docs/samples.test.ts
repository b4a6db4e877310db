import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setupServer } from 'msw/node'
import { build } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { describeReceived } from '../../src/world/journal/entry.js'
import { createDirectory } from '../cli/support.js'
import { readPages } from './pages.js'

const pages = await readPages(new URL('../../', import.meta.url))

/** Returns the blocks of a page in a language. */
function readBlocks(page: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  return [...(pages.get(page) ?? '').matchAll(fence)].map(([, block = '']) => block)
}

test('the control request in docs/front-end.md moves the clock', async () => {
  const sandbox = await createSandbox()
  const server = setupServer(...sandbox.handlers)
  server.listen()
  onTestFinished(() => server.close())
  sandbox.world.clock.freeze('2026-01-01T00:00:00Z')

  const [, request, ...others] = readBlocks('docs/front-end.md', 'js')
  expect(others).toEqual([])
  await new Function(`return (async () => { ${request} })()`)()

  expect(new Date(sandbox.world.clock.now()).toISOString()).toBe('2026-01-01T00:01:00.000Z')
})

// Vite sets import.meta.env.DEV to whether NODE_ENV is not "production".
test.each([
  ['development', [{ scenario: 'low-stock', scenarioFromUrl: true }]],
  ['production', []],
])('the import in docs/front-end.md in a page built for %s', async (mode, started) => {
  onTestFinished(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })
  const [statement = ''] = readBlocks('docs/front-end.md', 'js')
  const folder = await createDirectory({
    'main.ts': statement,
    'browser.js': 'export const startSandbox = async (o) => globalThis.started.push(o)',
  })
  await copyFile(join(import.meta.dirname, '../../examples/browser/mock.ts'), `${folder}/mock.ts`)

  vi.stubEnv('NODE_ENV', mode)
  await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    mode,
    resolve: { alias: { 'petstore-sandbox/browser': join(folder, 'browser.js') } },
    build: {
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: join(folder, 'main.ts'), output: { entryFileNames: 'main.mjs' } },
    },
  })
  const options: unknown[] = []
  vi.stubGlobal('started', options)
  await import(pathToFileURL(join(folder, 'dist/main.mjs')).href)

  expect(options).toEqual(started)
})

test('the failure in docs/matchers.md shows what a failed test prints', async () => {
  const sandbox = await createSandbox()
  const key = 'sbx_free_default_lists-the-inventory'
  const world = await sandbox.worldFor(key)
  await sandbox.fetch('https://api.petstore.example/v1/inventry', {
    headers: { Authorization: `Bearer ${key}` },
  })

  const page = pages.get('docs/matchers.md') ?? ''
  const [failure = '', ...others] = readBlocks('docs/matchers.md', 'text')
  expect(others).toEqual([])
  const printed = `AssertionError: expected 404 to be 200\n\n${describeReceived(world.requests.read())}\n`
  // To update a stale page: npx vitest run --config test/vitest.config.ts test/docs -u
  await expect(page.replace(failure, () => printed)).toMatchFileSnapshot('../../docs/matchers.md')
})
