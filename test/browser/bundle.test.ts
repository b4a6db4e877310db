import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { bundledData } from '../support/bundled-data.js'

/** Returns the modules that a page loads at once, and those that it loads on demand. */
async function bundle(entryPoint: string): Promise<{ now: string[]; later: string[] }> {
  const input = fileURLToPath(new URL(`../../src/${entryPoint}.ts`, import.meta.url))
  const { output } = (await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    resolve: { alias: bundledData },
    build: {
      write: false,
      rolldownOptions: { input, preserveEntrySignatures: 'strict' },
    },
  })) as Rolldown.RolldownOutput // one input, no watching: one output
  const chunks = output.filter((chunk) => chunk.type === 'chunk')
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const { imports } of loaded) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  }
  return {
    now: [...loaded].flatMap(({ moduleIds }) => moduleIds),
    later: chunks.filter((chunk) => !loaded.has(chunk)).flatMap(({ moduleIds }) => moduleIds),
  }
}

test.each(['browser', 'index'])(
  'the entry point %s loads no module of Node.js into a page',
  async (entryPoint) => {
    const { now, later } = await bundle(entryPoint)
    const modules = [...now, ...later]
    expect(modules.filter((id) => id.endsWith('/src/engine/sandbox.ts'))).toHaveLength(1)
    const ofNode = /^node:|__vite-browser-external|\/(express|commander|@mswjs\/http-middleware)\//
    expect(modules.filter((id) => ofNode.test(id))).toEqual([])
    expect(modules.filter((id) => /src\/(openapi|http|cli)\//.test(id))).toEqual([])
  },
)

test('the data generator and the panel are loaded on demand', async () => {
  const { now, later } = await bundle('browser')
  for (const part of ['/@faker-js/faker/', '/src/console/panel/view/']) {
    expect(now.filter((id) => id.includes(part))).toEqual([])
    expect(later.filter((id) => id.includes(part))).not.toEqual([])
  }
})

/** Each further file delays the first response of a page by up to 6 ms. */
test('a page with startSandbox loads one file of the built package besides its own', async () => {
  const entryPoint = fileURLToPath(new URL('../../dist/esm/browser.js', import.meta.url))
  const page = `import { startSandbox } from ${JSON.stringify(entryPoint)}; await startSandbox()`
  const { output } = (await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'virtual:page' ? id : undefined),
        load: (id) => (id === 'virtual:page' ? page : undefined),
      },
    ],
    build: { write: false, rolldownOptions: { input: 'virtual:page' } },
  })) as Rolldown.RolldownOutput // one input, no watching: one output
  expect(output[0].imports).toEqual([expect.stringContaining('core')])
})
