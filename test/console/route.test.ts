import { describe, expect, it } from 'vitest'
import { readRoute } from '../../src/console/routing/route.js'

describe('readRoute', () => {
  it.each([
    ['', 'overview', 'listInventory', undefined],
    ['#data', 'data', 'listInventory', undefined],
    ['#getPet', 'try', 'getPet', undefined],
    ['#A05', 'reference', 'listInventory', 'A05'],
    ['#toString', 'overview', 'listInventory', undefined],
    ['#key=sbx_free', 'overview', 'listInventory', undefined],
  ] as const)('reads %o as the view %s', (fragment, view, operation, assumption) => {
    expect(readRoute(fragment)).toEqual({ view, operation, assumption })
  })
})
