import { expect, test } from 'vitest'
import { assumptions } from '../../src/contract/assumptions.js'
import { operations } from '../../src/operations/operations.js'
import { type ContractTables, Coverage } from './coverage.js'

const tables: ContractTables = {
  operations: { listCages: { errors: ['pet_not_found'] } },
  assumptions: { A98: {}, A99: {} },
}

test('the check of completeness names every row that never appeared', () => {
  expect(new Coverage().findGaps(tables)).toEqual([
    'listCages success',
    'listCages pet_not_found',
    'A98',
    'A99',
  ])
})

test('the check of completeness leaves out what appeared, and only that', () => {
  const coverage = new Coverage()
  coverage.sawOutcome('listCages', 'pet_not_found')
  coverage.sawOutcome('listPets', undefined)
  coverage.sawAssumption('A01')
  expect(coverage.findGaps(tables)).toEqual(['listCages success', 'A98', 'A99'])
})

test('a row that is added to the contract and not tested is a gap', () => {
  const coverage = new Coverage()
  for (const [operation, { errors }] of Object.entries(operations)) {
    for (const code of [undefined, ...errors]) coverage.sawOutcome(operation, code)
  }
  for (const id of Object.keys(assumptions)) coverage.sawAssumption(id as keyof typeof assumptions)
  expect(coverage.findGaps({ operations, assumptions })).toEqual([])
  const { listCages } = tables.operations
  expect(listCages && coverage.findGaps({ operations: { listCages }, assumptions })).toHaveLength(2)
  expect(coverage.findGaps({ operations, assumptions: { ...assumptions, A99: {} } })).toEqual([
    'A99',
  ])
})
