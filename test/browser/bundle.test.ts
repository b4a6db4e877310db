import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'

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
