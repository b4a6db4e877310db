import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectory, readEvents, type Served, serve, toText, until } from './support.js'

const shop = { name: 'shop', pets: [toPet(1)] }

test('watch restarts the initial worlds after the active scenario has changed, and logs it', async () => {
  const { directory, served } = await watchShop()
  expect(await getPetIds(served)).toEqual([1])
  await write(directory, 'shop.json', { ...shop, pets: [toPet(2)] })
  await until(async () => (await getPetIds(served))[0] === 2)
  await until(() => served.read().stdout.includes('the scenario shop has changed'))
  expect(served.read().stderr).toBe('')
})

test('watch does not restart a staging world that runs another scenario', async () => {
  const { directory, served } = await watchShop({
    'other.json': { name: 'other', pets: [toPet(5)] },
  })
  await putScenario(served, '/staging', 'other')
  await served.send('PATCH /staging/v1/inventory/5', { key, json: { quantity: 77 } })
  await write(directory, 'shop.json', { ...shop, pets: [toPet(2)] })
  await until(() => served.read().stdout.includes('the scenario shop has changed'))
  expect(await getPetIds(served)).toEqual([2])
  expect(await getInventory(served, '/staging')).toMatchObject([{ petId: 5, quantity: 77 }])

  await write(directory, 'other.json', { name: 'other', pets: [toPet(6)] })
  await until(() => served.read().stdout.includes('the scenario other has changed'))
  expect(await getInventory(served, '/staging')).toMatchObject([{ petId: 6 }])
  expect(await getPetIds(served)).toEqual([2])
})

test('watch starts a later staging world from the changed file, whichever scenario production has', async () => {
  const { directory, served } = await watchShop({ 'other.json': { name: 'other' } })
  await putScenario(served, '', 'other')
  await write(directory, 'shop.json', { ...shop, pets: [toPet(2)] })
  await until(() => served.read().stdout.includes('scenario files reloaded'))
  expect(await getPetIds(served)).toEqual([])
  expect(await getInventory(served, '/staging')).toMatchObject([{ petId: 2 }])
})

test('watch does not change a world that runs the scenario of a client', async () => {
  const { directory, served } = await watchShop()
  await putScenario(served, '/staging', { name: 'mine', extends: 'shop' })
  await write(directory, 'shop.json', { ...shop, pets: [toPet(2)] })
  await until(() => served.read().stdout.includes('the scenario shop has changed'))
  expect(await getPetIds(served)).toEqual([2])
  expect(await getInventory(served, '/staging')).toMatchObject([{ petId: 1 }])
})

test('watch detects that the file of --scenario was replaced', async () => {
  const directory = await createDirectory({ 'shop.json': shop })
  const path = join(directory, 'shop.json')
  const served = await serve(['--scenario', path, '--watch'])
  await write(directory, 'shop.json', { ...shop, pets: [] })
  await until(async () => (await getPetIds(served)).length === 0)
})

test('watch detects that a file was written in place', async () => {
  const { directory, served } = await watchShop()
  await writeFile(join(directory, 'shop.json'), toText({ ...shop, pets: [toPet(4)] }))
  await until(async () => (await getPetIds(served))[0] === 4)
})

test('watch detects a change of an extended scenario', async () => {
  const { directory, served } = await watchShop({
    'base.json': { ...shop, name: 'base' },
    'shop.json': { name: 'shop', extends: 'base' },
  })
  await write(directory, 'base.json', { ...shop, name: 'base', pets: [toPet(3)] })
  await until(async () => (await getPetIds(served))[0] === 3)
})

test('watch reports an invalid file in one line per problem, and does not change the worlds', async () => {
  const { directory, served } = await watchShop({ 'other.json': { name: 'other' } })
  await write(directory, 'shop.json', { ...shop, pets: [toPet(2)], seed: 'x', clock: 1 })
  await until(() => countFailures(served) >= 2)
  const failures = readEvents(served).filter(({ event }) => event === 'error')
  expect(failures.map(({ line }) => line)).toEqual([
    expect.stringMatching(/shop\.json: seed must be .*found "x".*; existing worlds are unchanged/),
    expect.stringMatching(/shop\.json: clock must be .*found 1.*; existing worlds are unchanged/),
  ])
  expect(await getPetIds(served)).toEqual([1])
  await write(directory, 'shop.json', { ...shop, pets: [toPet(2)] })
  await until(async () => (await getPetIds(served))[0] === 2)
})

test('watch reloads all files or none', async () => {
  const directory = await createDirectory({ 'a.json': { name: 'a', pets: [toPet(1)] } })
  const served = await serve(['--scenarios', directory, '--watch'])
  expect(await getPetIds(served, 'sbx_free_a_before')).toEqual([1])
  await write(directory, 'z.json', '{')
  await until(() => countFailures(served) === 1)
  await write(directory, 'a.json', { name: 'a', pets: [toPet(2)] })
  await until(() => countFailures(served) === 2)
  expect(await getPetIds(served, 'sbx_free_a_during')).toEqual([1])
  await rm(join(directory, 'z.json'))
  await until(() => served.read().stdout.includes('scenario files reloaded'))
  expect(await getPetIds(served, 'sbx_free_a_after')).toEqual([2])
  expect(await getPetIds(served, 'sbx_free_a_before')).toEqual([1])
})

test('watch adds the scenario of a new file', async () => {
  const directory = await createDirectory({})
  const served = await serve(['--scenarios', directory, '--watch'])
  await write(directory, 'new.json', { name: 'brand-new', pets: [toPet(9)] })
  await until(() => served.read().stdout.includes('scenario files reloaded'))
  expect(await getPetIds(served, 'sbx_free_brand-new')).toEqual([9])
})

test('watch does not change the worlds after the file of the active scenario was removed', async () => {
  const { directory, served } = await watchShop()
  await rm(join(directory, 'shop.json'))
  await until(() => served.read().stdout.includes('the scenario shop was removed'))
  expect(await getPetIds(served)).toEqual([1])
})

test('watch logs nothing for a file with the same scenario', async () => {
  const { directory, served } = await watchShop()
  await write(directory, 'shop.json', shop)
  await write(directory, 'notes.txt', 'nothing')
  await write(directory, 'shop.json', { ...shop, description: 'Another text.' })
  await until(() => served.read().stdout.includes('scenario files reloaded'))
  expect(readEvents(served).map(({ event }) => event)).toEqual(['started', 'notice'])
})

/** Serves the scenario of `shop.json`, and watches its directory. */
async function watchShop(files: Record<string, unknown> = {}) {
  const directory = await createDirectory({ 'shop.json': shop, ...files })
  const served = await serve(['--scenarios', directory, '--scenario', 'shop', '--watch'])
  return { directory, served }
}

function toPet(petId: number) {
  return { petId, name: 'Bella', status: 'available', quantity: 1 }
}

/** Replaces a file atomically, so that it is never read half-written. */
async function write(directory: string, name: string, content: unknown): Promise<void> {
  const path = join(directory, name)
  await writeFile(`${path}.new`, toText(content))
  await rename(`${path}.new`, path)
}

async function getPetIds(served: Served, key?: string): Promise<number[]> {
  const items = await getInventory(served, '', key)
  return items.map(({ petId }) => petId)
}

const key = 'sbx_enterprise'

async function getInventory(
  { send }: Served,
  root: '' | '/staging',
  apiKey = key,
): Promise<{ petId: number; quantity: number }[]> {
  return (await send(`GET ${root}/v1/inventory`, { key: apiKey })).json
}

async function putScenario({ send }: Served, root: '' | '/staging', json: unknown): Promise<void> {
  expect((await send(`PUT ${root}/sandbox/scenario`, { key, json })).status).toBe(200)
}

function countFailures(served: Served): number {
  return readEvents(served).filter(({ event }) => event === 'error').length
}
