import { describe, expect, test } from 'vitest'
import { errorSchema, responseSchemas } from '../../src/contract/response-schemas.js'

const item = { petId: 7, quantity: 4, status: 'available' }

describe('the response schema of updateInventory', () => {
  test('takes a petId past 2^53, which JSON.parse has rounded (spec §2, int64)', () => {
    const parsed: unknown = JSON.parse('{"petId":9223372036854775807,"quantity":1,"status":"sold"}')
    expect(responseSchemas.updateInventory.safeParse(parsed).success).toBe(true)
  })

  test.each([
    ['a petId that is text', { ...item, petId: '7' }],
    ['a petId that is no integer', { ...item, petId: 7.5 }],
    ['a quantity that is no integer', { ...item, quantity: 0.5 }],
    ['another status', { ...item, status: 'lost' }],
    ['no status', { petId: 7, quantity: 4 }],
    ['a field that the specification does not show', { ...item, name: 'Nemo' }],
  ])('refuses %s', (_, body) => {
    expect(responseSchemas.updateInventory.safeParse(body).success).toBe(false)
  })
})

describe('the response schema of getPet', () => {
  const pet = { petId: 7, name: 'Nemo', status: 'sold', category: 'fish', photoUrls: [], tags: [] }

  test('takes further fields (A03)', () => {
    expect(responseSchemas.getPet.parse({ ...pet, colour: 'orange' })).toMatchObject({
      colour: 'orange',
    })
  })

  test.each(['petId', 'name', 'status', 'photoUrls'])('refuses a pet without %s', (field) => {
    const fields = Object.entries(pet).filter(([name]) => name !== field)
    const result = responseSchemas.getPet.safeParse(Object.fromEntries(fields))
    expect(result.error?.issues.map(({ path }) => path)).toEqual([[field]])
  })
})

describe('the schema of errors', () => {
  test.each([
    ['no code', { message: 'why', status: 404 }],
    ['a status that is text', { code: 'pet_not_found', message: 'why', status: '404' }],
    ['a stack', { code: 'internal_error', message: 'why', status: 500, stack: 'at' }],
  ])('refuses a body with %s (spec §2)', (_, body) => {
    expect(errorSchema.safeParse(body).success).toBe(false)
  })
})
