import { describe, expect, it } from 'vitest'
import { pageSize, toPage } from '../../src/console/data/page.js'
import { findFreeId } from '../../src/console/data/record-kind.js'

describe('toPage', () => {
  const all = Array.from({ length: 2 * pageSize + 1 }, (_, at) => at)

  it.each([
    [0, 0, `1–${pageSize} of ${all.length}`],
    [2, 2, `${all.length}–${all.length} of ${all.length}`],
    [9, 2, `${all.length}–${all.length} of ${all.length}`],
  ])('for the number %i returns page %i with the title %s', (requested, number, title) => {
    expect(toPage(all, requested)).toMatchObject({ number, last: 2, title })
  })

  it('returns one empty page for an empty list', () => {
    expect(toPage([], 3)).toEqual({ items: [], number: 0, last: 0, title: '0 of 0' })
  })
})

describe('findFreeId', () => {
  it.each([
    [[], 1],
    [[{ petId: 3 }, { petId: 12 }], 13],
    [[{ petId: -4 }], 1],
    [[{ petId: '9223372036854775807' }, { petId: 2 }], 3],
  ])('for the pets %o returns the id %i', (pets, id) => {
    expect(findFreeId(pets)).toBe(id)
  })
})
