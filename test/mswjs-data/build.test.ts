import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, type RolldownOptions, rolldown } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

interface Reduction {
  readonly mswjsDataEntry: string
  reduceMswjsData(pinned: string): Plugin
}

const script = join(import.meta.dirname, '../../build/mswjs-data.js')
const { mswjsDataEntry, reduceMswjsData }: Reduction = await import(pathToFileURL(script).href)
const pinned = manifest.devDependencies['@mswjs/data']

async function build(version: string, options: RolldownOptions = {}) {
  const bundle = await rolldown({
    input: mswjsDataEntry,
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    plugins: [reduceMswjsData(version)],
    ...options,
  })
  onTestFinished(() => bundle.close())
  const { output } = await bundle.generate()
  return output[0]
}

test('builds the pinned version, without msw, graphql and most of date-fns', async () => {
  const { moduleIds } = await build(pinned)
  const count = (name: string) => moduleIds.filter((id) => id.includes(`/${name}/`)).length
  expect(['msw', 'graphql', 'pluralize', 'debug', 'uuid'].map(count)).toEqual([0, 0, 0, 0, 0])
  expect(count('date-fns')).toBe(3)
  expect(moduleIds.length).toBeLessThan(120)
})

test('fails if the installed version is not the pinned one', async () => {
  await expect(build('0.16.3')).rejects.toThrow(
    `Found @mswjs/data ${pinned}, but package.json pins 0.16.3. Run npm ci`,
  )
})

test('fails if a replacement matches no import of the library', async () => {
  await expect(build(pinned, { external: ['date-fns', 'lodash'] })).rejects.toThrow(
    'build/mswjs-data.js replaces /^date-fns$/, /^lodash$/, which @mswjs/data does not import',
  )
})
