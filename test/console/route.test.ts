import { describe, expect, it } from 'vitest'
import { readRoute } from '../../src/console/routing/route.js'
import { readServed } from './support.js'

const { service } = readServed()

describe('readRoute', () => {
  it.each([
    ['', 'overview', 'listInventory', undefined],
    ['#snapshot', 'scenarios', 'listInventory', undefined],
    ['#data', 'data', 'listInventory', undefined],
    ['#getPet', 'try', 'getPet', undefined],
    ['#A05', 'reference', 'listInventory', 'A05'],
    ['#toString', 'overview', 'listInventory', undefined],
    ['#key=sbx_free', 'overview', 'listInventory', undefined],
  ] as const)('for %o returns the view %s', (fragment, view, operation, assumption) => {
    expect(readRoute(fragment, service)).toEqual({ view, operation, assumption })
  })
})
