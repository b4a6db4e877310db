import { expect, test } from 'vitest'
import { assumptions } from '../../src/service/assumptions.js'
import { type ContractTables, Coverage } from './coverage.js'
import { errorsByOperation } from './operations.js'

const tables: ContractTables = {
  errors: { listCages: ['pet_not_found'] },
  assumptions: { A98: {}, A99: {} },
}

test('findGaps names every outcome and assumption that has not appeared', () => {
  expect(new Coverage().findGaps(tables)).toEqual([
    'listCages success',
    'listCages pet_not_found',
    'A98',
    'A99',
  ])
})

test('findGaps omits exactly what has appeared', () => {
  const coverage = new Coverage()
  coverage.addOutcome('listCages', 'pet_not_found')
  coverage.addOutcome('listPets', undefined)
  coverage.addAssumption('A01')
  expect(coverage.findGaps(tables)).toEqual(['listCages success', 'A98', 'A99'])
})

test('findGaps names an operation or assumption that was added without a test', () => {
  const coverage = new Coverage()
  for (const [operation, codes] of Object.entries(errorsByOperation)) {
    for (const code of [undefined, ...codes]) coverage.addOutcome(operation, code)
  }
  for (const id of Object.keys(assumptions)) coverage.addAssumption(id as keyof typeof assumptions) // its keys
  const errors = errorsByOperation
  expect(coverage.findGaps({ errors, assumptions })).toEqual([])
  expect(coverage.findGaps({ errors: tables.errors, assumptions })).toHaveLength(2)
  expect(coverage.findGaps({ errors, assumptions: { ...assumptions, A99: {} } })).toEqual(['A99'])
})
