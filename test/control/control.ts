import { describe, expect, test } from 'vitest'
import type { Transport } from '../support/transport.js'
import { describeIndependence } from './cases/independence.js'
import { describeJournal } from './cases/journal.js'
import { describeOperations } from './cases/operations.js'
import { describeRefusals, expectedOutcomes } from './cases/refusals.js'
import { createControlSuite } from './suite.js'

/** Every control operation with all its outcomes, over one transport. */
export function describeControl(transport: Transport): void {
  const suite = createControlSuite(transport)
  // The last test looks back on all the others.
  describe(`over ${transport.name}`, { shuffle: false }, () => {
    describeOperations(suite)
    describeJournal(suite)
    describeRefusals(suite)
    describeIndependence(suite)

    test('every control operation appeared with its success and each of its errors', () => {
      expect(expectedOutcomes().filter((outcome) => !suite.outcomes.has(outcome))).toEqual([])
    })
  })
}
