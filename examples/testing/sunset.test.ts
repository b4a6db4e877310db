import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

/** The client under test: reads a pet and reports when the operation is about to end. */
async function readPet(
  baseUrl: string,
  petId: number,
  init: RequestInit,
  warn: (text: string) => void,
) {
  const response = await fetch(`${baseUrl}/pets/${petId}`, init)
  const sunset = response.headers.get('Sunset')
  if (sunset) warn(`GET /pets/{petId} ends on ${sunset}`)
  return response.ok ? response.json() : undefined
}

// The operation ends three days after the world starts.
test.override({
  scenario: ['sunset-soon', { name: 'in-march', clock: { now: '2026-03-01T09:00:00Z' } }],
})

test('warns of the sunset while the operation still answers', async ({ sandbox }) => {
  const warnings: string[] = []
  const init = { headers: sandbox.headers }

  const pet = await readPet(sandbox.baseUrl, 1, init, (text) => warnings.push(text))

  expect(pet).toMatchObject({ petId: 1, name: 'Bella' })
  expect(warnings).toEqual(['GET /pets/{petId} ends on Wed, 04 Mar 2026 00:00:00 GMT'])
})

test('does without the pet once the operation is gone', async ({ sandbox }) => {
  sandbox.world.clock.set('2026-03-04T00:00:00Z')

  const pet = await readPet(sandbox.baseUrl, 1, { headers: sandbox.headers }, () => {})

  expect(pet).toBeUndefined()
  expect(sandbox).toHaveReceived('getPet', { status: 410 })
})
