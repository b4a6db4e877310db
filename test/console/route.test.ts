import { expect, it } from 'vitest'
import { readRoute } from '../../src/console/routing/route.js'
import { readServed } from './support.js'

const { service } = readServed()

it.each([
  ['', 'overview', 'listInventory', undefined],
  ['#data', 'data', 'listInventory', undefined],
  ['#getPet', 'try', 'getPet', undefined],
  ['#A05', 'reference', 'listInventory', 'A05'],
  ['#request-7', 'journal', 'listInventory', undefined],
  ['#request-x', 'overview', 'listInventory', undefined],
  ['#toString', 'overview', 'listInventory', undefined],
  ['#key=sbx_free', 'overview', 'listInventory', undefined],
] as const)('for %o returns the view %s', (fragment, view, operation, assumption) => {
  expect(readRoute(fragment, service)).toMatchObject({ view, operation, assumption })
})

it('readRoute returns the journal entry that a link opens', () => {
  expect(readRoute('#request-7', service).entry).toBe(7)
  expect(readRoute('#journal', service).entry).toBeUndefined()
})
