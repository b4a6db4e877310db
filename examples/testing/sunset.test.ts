import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

/** The client under test: reads a pet and warns if the operation has a sunset date. */
async function readPet(
  baseUrl: string,
  petId: number,
  init: RequestInit,
  warn: (message: string) => void,
) {
  const response = await fetch(`${baseUrl}/pets/${petId}`, init)
  const sunset = response.headers.get('Sunset')
  if (sunset) warn(`GET /pets/{petId} ends on ${sunset}`)
  return response.ok ? response.json() : undefined
}

// The sunset of the operation is within three days of the start of the world.
test.override({
  scenario: ['sunset-soon', { name: 'in-march', clock: { now: '2026-03-01T09:00:00Z' } }],
})

test('warns of the sunset while the operation is available', async ({ sandbox }) => {
  const warnings: string[] = []
  const init = { headers: sandbox.headers }

  const pet = await readPet(sandbox.baseUrl, 1, init, (message) => warnings.push(message))

  expect(pet).toMatchObject({ petId: 1, name: 'Bella' })
  expect(warnings).toEqual(['GET /pets/{petId} ends on Wed, 04 Mar 2026 00:00:00 GMT'])
})

test('returns no pet after the sunset', async ({ sandbox }) => {
  sandbox.world.clock.set('2026-03-04T00:00:00Z')

  const pet = await readPet(sandbox.baseUrl, 1, { headers: sandbox.headers }, () => {})

  expect(pet).toBeUndefined()
  expect(sandbox).toHaveReceived('getPet', { status: 410 })
})
