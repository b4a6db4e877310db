import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDifference } from './compare.js'
import type { IntendedDifference } from './intended.js'
import { type Build, loadBuild, openInProcess } from './place.js'

const root = join(import.meta.dirname, '../..')
const message = 'is used up;'
const planted = 'is at zero;'

let folder: string
let released: Build
let present: Build

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-planted-'))
  await plant(folder)
  released = loadBuild(root)
  present = loadBuild(folder)
})
afterAll(() => rm(folder, { recursive: true }))

const count = 60

test('a changed message is found, with the shortest sequence that shows it', async () => {
  const difference = await findDifference({ released, present, intended: [] }, openInProcess, count)
  expect(difference).toMatch(/^released: 429$[\s\S]+is used up;/m)
  expect(difference).toMatch(/^present: 429$[\s\S]+is at zero;/m)
  expect(difference?.match(/^\d+\. .*/gm), 'a request that the scenario rejects').toHaveLength(1)
})

test('an intended difference is not found', async () => {
  const release = (text: string) => text.replaceAll(planted, message)
  const intended: IntendedDifference = {
    reason: 'The message of a 429.',
    normalize: (exchange) => ({
      ...exchange,
      body: release(exchange.body),
      entries: exchange.entries.map(release),
    }),
  }
  const comparison = { released, present, intended: [intended] }
  expect(await findDifference(comparison, openInProcess, count)).toBeUndefined()
})

/** Copies the built package into a folder, with one changed message. */
async function plant(target: string): Promise<void> {
  const directory = join(target, 'dist/cjs')
  await cp(join(root, 'package.json'), join(target, 'package.json'))
  await cp(join(root, 'dist/cjs'), directory, { recursive: true })
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'))
  let isPlanted = false
  const names = await readdir(directory, { recursive: true })
  for (const name of names.filter((path) => path.endsWith('.js'))) {
    const file = join(directory, name)
    const code = await readFile(file, 'utf8')
    isPlanted ||= code.includes(message)
    await writeFile(file, code.replaceAll(message, planted))
  }
  expect(isPlanted, `the build contains ${JSON.stringify(message)}`).toBe(true)
}
