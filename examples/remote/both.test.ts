import { createSandbox, type World } from 'petstore-sandbox'
import { connect, RemoteError, type RemoteWorld } from 'petstore-sandbox/connect'
import { expect, test } from 'vitest'
import { startServer } from './server.js'
import 'petstore-sandbox/vitest'

// #region both
/** Prepares a world in this process, or on a server. */
async function sellOut(world: World | RemoteWorld): Promise<number> {
  for (const pet of await world.db.pets.list())
    await world.db.pets.change(pet.petId, { quantity: 0 })
  await world.clock.freeze()
  return world.clock.now()
}
// #endregion

test('a helper works with both', async () => {
  const { world } = await createSandbox()
  expect(await sellOut(world)).toBe(world.clock.now())

  const server = await startServer()
  const remote = await connect({ url: server.url, apiKey: 'sbx_free_default_ci-7' })
  expect(await sellOut(remote)).toBe(await remote.clock.now())
  expect(new Set((await remote.db.pets.list()).map(({ quantity }) => quantity))).toEqual(
    new Set([0]),
  )

  // #region control
  const { version, counts } = await remote.control.getOverview()
  const scenarios = await remote.control.listScenarios()
  // #endregion
  expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  expect([counts.requests, scenarios.length > 5]).toEqual([0, true])

  // #region errors
  const error = await remote.db.pets.remove('404').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RemoteError)
  expect(error).toMatchObject({ code: 'pet_not_found', status: 404 })
  // #endregion

  // #region subscribe
  const paths: string[] = []
  const stop = await remote.journal.subscribe(({ path }) => paths.push(path))
  await fetch(`${remote.baseUrl}/inventory`, { headers: remote.headers })
  await remote.requests.waitFor('listInventory')
  stop()
  // #endregion
  expect(paths).toEqual(['/inventory'])

  // #region matchers
  await expect(remote).toHaveReceived('listInventory', { status: 200, times: 1 })
  await expect(remote).not.toHaveReceived('updateInventory')
  await expect(remote).toHaveReceivedNothingUnmatched()
  // #endregion

  // #region in-process
  const sandbox = await createSandbox()
  const local = await connect({
    url: 'https://api.petstore.example',
    apiKey: 'sbx_free',
    fetch: sandbox.fetch,
  })
  // #endregion
  await local.clock.freeze()
  expect(sandbox.world.clock.isFrozen).toBe(true)

  remote.close()
  await server.close()
})
