// A handle has the types of `World`: src/control/remote/world.ts.
import { expect, test } from 'vitest'
import { controlOperationIds } from '../../../src/control/operations.js'
import { createSandbox } from '../../../src/index.js'
import { openServer } from '../../support/server.js'
import { connectTo } from './support.js'

test('printing or comparing a handle and its parts sends no request', async () => {
  const { fetch } = await createSandbox()
  let sent = 0
  const count: typeof fetch = (...args) => {
    sent += 1
    return fetch(...args)
  }
  const remote = await connectTo('https://api.petstore.example', { fetch: count })
  expect(sent).toBe(1)
  const printed = JSON.stringify([remote, remote.quota.account('free')])
  expect(printed).toContain('"environment":"production"')
  expect(remote).not.toEqual({ ...remote, clock: 1 })
  expect(sent).toBe(1)
})

test('control has a function for each control operation, derived from the definitions', async () => {
  const { url } = await openServer()
  const { control } = await connectTo(url)
  expect(Object.keys(control).toSorted()).toEqual(
    controlOperationIds.filter((id) => id !== 'streamEvents').toSorted(),
  )
  expect(
    await control.changeClock({ body: { now: '2026-03-01T09:00:00Z', frozen: true } }),
  ).toEqual({
    now: '2026-03-01T09:00:00.000Z',
    frozen: true,
    nextEvent: expect.anything(),
  })
  expect(await control.listScenarios()).toContainEqual(expect.objectContaining({ name: 'flaky' }))
  expect(await control.removePet({ params: { petId: '1' } })).toMatchObject({ petId: 1 })
  expect(await control.listRequests({ query: { limit: 5, operation: 'getPet' } })).toEqual([])
})

test('control rejects an input with other fields than params, query and body', async () => {
  const { url } = await openServer()
  const { control } = await connectTo(url)
  // @ts-expect-error: the body is missing around the plan.
  const creating = control.createKey({ plan: 'pro' })
  await expect(creating).rejects.toThrow(TypeError)
  await expect(creating).rejects.toThrow(
    'the argument of control.createKey has no field "plan"; known: params, query, body',
  )
})

test('a misspelled field is a compile-time error', async () => {
  const { url } = await openServer()
  const world = await connectTo(url)
  // @ts-expect-error: quantty is not a field of a pet.
  await world.db.pets.add({ petId: 71, name: 'Rex', quantty: 3 })
  // @ts-expect-error: explode is not a type of fault.
  await expect(world.faults.add({ type: 'explode' })).rejects.toThrow('invalid_field')
  // @ts-expect-error: colour is not a field of the clock.
  await expect(world.control.changeClock({ body: { colour: 1 } })).rejects.toThrow('invalid_field')
})
