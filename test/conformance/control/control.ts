import { describe, expect, test } from 'vitest'
import type { Transport } from '../../support/transport.js'
import { describeErrors, expectedOutcomes } from './cases/errors.js'
import { describeIndependence } from './cases/independence.js'
import { describeOperations } from './cases/operations.js'
import { createControlSuite } from './suite.js'

/** Defines the tests of every control operation and outcome, over one transport. */
export function describeControl(transport: Transport): void {
  const suite = createControlSuite(transport)
  // The last test checks what the others recorded.
  describe(`over ${transport.name}`, { shuffle: false }, () => {
    describeOperations(suite)
    describeErrors(suite)
    describeIndependence(suite)

    test('every control operation appeared with its success and each of its errors', () => {
      expect(expectedOutcomes().filter((outcome) => !suite.outcomes.has(outcome))).toEqual([])
    })
  })
}
