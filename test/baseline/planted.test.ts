import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Build, loadBuild } from './build.js'
import { findDifference } from './compare.js'
import type { IntendedDifference } from './intended.js'
import { openInProcess } from './place.js'
import { sequences } from './sequence.js'

const root = join(import.meta.dirname, '../..')
const message = 'the API key is banned until'
const planted = 'the API key is banned after'

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

const runs = { sequences, open: openInProcess, count: 60 }

test('a changed message is found, with the shortest sequence that shows it', async () => {
  const difference = await findDifference({ released, present, intended: [] }, runs)
  expect(difference).toContain(`"code":"api_key_banned","message":"${message}`)
  expect(difference).toContain(`"code":"api_key_banned","message":"${planted}`)
  expect(difference).toMatch(/^1\. /m)
  expect(difference, 'requests beyond a ban and a rejected request').not.toMatch(/^3\. /m)
})

test('an intended difference is not found', async () => {
  const release = (text: string) => text.replaceAll(planted, message)
  const intended: IntendedDifference = {
    reason: 'The message of a ban.',
    normalize: ({ response, entries, ...exchange }) => ({
      ...exchange,
      response: { ...response, body: release(response.body) },
      entries: entries.map(release),
    }),
  }
  expect(await findDifference({ released, present, intended: [intended] }, runs)).toBeUndefined()
})

/** Copies the built package into a folder, with one changed message. */
async function plant(target: string): Promise<void> {
  const directory = join(target, 'dist/cjs')
  await cp(join(root, 'package.json'), join(target, 'package.json'))
  await cp(join(root, 'dist/cjs'), directory, { recursive: true })
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'))
  const names = await readdir(directory, { recursive: true })
  for (const name of names.filter((path) => path.endsWith('.js'))) {
    const file = join(directory, name)
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(message, planted))
  }
}
