// What the bundle intentionally does differently from the library.
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as bundle from '@mswjs/data'
import { rolldown } from 'rolldown'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Library, original } from './libraries.js'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'dist/mswjs-data.js')

/** Creates, updates and deletes an entity. Returns the model. */
function useModel({ factory, primaryKey }: Library) {
  const { pet } = factory({ pet: { id: primaryKey(String), name: String } })
  const where = { id: { equals: '1' } }
  pet.create({ id: '1' })
  pet.update({ where, data: { name: 'Rex' } })
  pet.delete({ where })
  return pet
}

test('toHandlers and toGraphQLSchema throw an error that names them', () => {
  const pet = useModel(bundle)
  const message = 'is not part of this bundle of @mswjs/data'
  expect(() => pet.toHandlers('rest')).toThrow(`toHandlers ${message}`)
  expect(() => pet.toHandlers('graphql')).toThrow(`toHandlers ${message}`)
  expect(() => pet.toGraphQLSchema()).toThrow(`toGraphQLSchema ${message}`)
  expect(useModel(original).toHandlers('rest').length).toBeGreaterThan(0)
})

describe('in a page', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  /** Simulates a page. Returns the messages that are sent to its other tabs. */
  function simulatePage() {
    const channels: string[] = []
    const messages: unknown[] = []
    class RecordedChannel extends EventTarget {
      constructor(name: string) {
        super()
        channels.push(name)
      }
      postMessage(message: unknown) {
        messages.push(message)
      }
    }
    vi.stubGlobal('window', globalThis)
    vi.stubGlobal('BroadcastChannel', RecordedChannel)
    return { channels, messages }
  }

  test('the bundle opens no BroadcastChannel, unlike the original', () => {
    const { channels, messages } = simulatePage()
    useModel(bundle)
    expect([channels, messages]).toEqual([[], []])
    useModel(original)
    expect(channels).toHaveLength(1)
    expect(messages).toHaveLength(3)
  })
})

describe('alone in a directory', () => {
  /** Uses a library in a directory that contains only the bundle. Returns the standard error. */
  async function run(importLibrary: string) {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-sandbox-mswjs-data-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    await copyFile(file, join(directory, 'mswjs-data.mjs'))
    const program = `${importLibrary}
      const { pet } = library.factory({ pet: { id: library.primaryKey(String) } })
      pet.create({ id: '1' })
      if (pet.delete({ where: { id: { equals: '1' } } }).id !== '1') throw new Error('not deleted')`
    const args = ['--input-type=module', '--eval', program]
    const env = { ...process.env, DEBUG: '*', DEBUG_COLORS: 'no' }
    const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: directory, env })
    return stderr
  }

  test('the bundle works, and writes no debug output, unlike the original', async () => {
    const [ofBundle, ofOriginal] = await Promise.all([
      run(`import * as library from './mswjs-data.mjs'`),
      run(`import { createRequire } from 'node:module'
        const library = createRequire(${JSON.stringify(`${root}/`)})('@mswjs/data')`),
    ])
    expect(ofBundle).toBe('')
    expect(ofOriginal).toContain('createModel creating a "pet" entity')
  })

  test('the bundle imports no module', async () => {
    const builder = await rolldown({ input: file, platform: 'neutral' })
    onTestFinished(() => builder.close())
    const { output } = await builder.generate()
    expect(output).toHaveLength(1)
    expect(output[0]).toMatchObject({ moduleIds: [file], imports: [], dynamicImports: [] })
    expect(await readFile(file, 'utf8')).not.toMatch(/\brequire\(/)
  })
})
