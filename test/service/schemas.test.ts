import { describe, expect, test } from 'vitest'
import { errorSchema, inventoryItemSchema, petRecordSchema } from '../../src/service/schemas.js'

const item = { petId: 7, quantity: 4, status: 'available' }

describe('inventoryItemSchema', () => {
  test('accepts a petId beyond 2^53, which JSON.parse rounds (spec §2, int64)', () => {
    const parsed: unknown = JSON.parse('{"petId":9223372036854775807,"quantity":1,"status":"sold"}')
    expect(inventoryItemSchema.safeParse(parsed).success).toBe(true)
  })

  test.each([
    ['a petId that is a string', { ...item, petId: '7' }],
    ['a petId that is not an integer', { ...item, petId: 7.5 }],
    ['a quantity that is not an integer', { ...item, quantity: 0.5 }],
    ['an unknown status', { ...item, status: 'lost' }],
    ['no status', { petId: 7, quantity: 4 }],
    ['a field that is not in the specification', { ...item, name: 'Nemo' }],
  ])('rejects %s', (_, body) => {
    expect(inventoryItemSchema.safeParse(body).success).toBe(false)
  })
})

describe('petRecordSchema', () => {
  const pet = { petId: 7, name: 'Nemo', status: 'sold', category: 'fish', photoUrls: [], tags: [] }

  test('accepts additional fields (A03)', () => {
    expect(petRecordSchema.parse({ ...pet, colour: 'orange' })).toMatchObject({
      colour: 'orange',
    })
  })

  test.each(['petId', 'name', 'status', 'photoUrls'])('rejects a pet without %s', (field) => {
    const fields = Object.entries(pet).filter(([name]) => name !== field)
    const result = petRecordSchema.safeParse(Object.fromEntries(fields))
    expect(result.error?.issues.map(({ path }) => path)).toEqual([[field]])
  })
})

describe('errorSchema', () => {
  test.each([
    ['no code', { message: 'why', status: 404 }],
    ['a status that is a string', { code: 'pet_not_found', message: 'why', status: '404' }],
    ['a stack', { code: 'internal_error', message: 'why', status: 500, stack: 'at' }],
  ])('rejects a body with %s (spec §2)', (_, body) => {
    expect(errorSchema.safeParse(body).success).toBe(false)
  })
})
