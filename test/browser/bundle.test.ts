import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import { bundledData } from '../support/bundled-data.js'

/** Returns the modules that a page with startSandbox loads at once, and those on demand. */
async function bundle(): Promise<{ now: string[]; later: string[] }> {
  const input = fileURLToPath(new URL('../../src/browser.ts', import.meta.url))
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

test('the data generator and the panel are loaded on demand', async () => {
  const { now, later } = await bundle()
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
