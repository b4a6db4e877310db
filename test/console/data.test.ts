import { describe, expect, it } from 'vitest'
import { pageSize, toPage } from '../../src/console/data/paging.js'
import { findFreePetId, orderStatuses, petStatuses } from '../../src/console/data/statuses.js'
import { orderStatusSchema, petStatusSchema } from '../../src/contract/schemas.js'

describe('toPage', () => {
  const all = Array.from({ length: 2 * pageSize + 1 }, (_, at) => at)

  it.each([
    [0, 0, `1–${pageSize} of ${all.length}`],
    [2, 2, `${all.length}–${all.length} of ${all.length}`],
    [9, 2, `${all.length}–${all.length} of ${all.length}`],
  ])('cuts page %i and shows page %i: %s', (wanted, number, title) => {
    expect(toPage(all, wanted)).toMatchObject({ number, last: 2, title })
  })

  it('has one empty page of nothing', () => {
    expect(toPage([], 3)).toEqual({ items: [], number: 0, last: 0, title: '0 of 0' })
  })
})

describe('the menus of statuses', () => {
  it('offer what the contract has', () => {
    expect(petStatuses).toEqual(petStatusSchema.options)
    expect(orderStatuses).toEqual(orderStatusSchema.options)
  })
})

describe('findFreePetId', () => {
  it.each([
    [[], 1],
    [[{ petId: 3 }, { petId: 12 }], 13],
    [[{ petId: -4 }], 1],
    [[{ petId: '9223372036854775807' }, { petId: 2 }], 3],
  ])('past %o is %i', (pets, wanted) => {
    expect(findFreePetId(pets)).toBe(wanted)
  })
})
