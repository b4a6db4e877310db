import { describe, expect, test } from 'vitest'
import { assumptions } from '../../../src/service/assumptions.js'
import { errorsByOperation } from '../../support/operations.js'
import { createSuite } from '../../support/suite.js'
import type { Transport } from '../../support/transport.js'
import { describeAddresses } from './cases/addresses.js'
import { describeAuthentication } from './cases/authentication.js'
import { describeBans } from './cases/bans.js'
import { describeErrors } from './cases/errors.js'
import { describeFaults } from './cases/faults.js'
import { describeGetPet } from './cases/get-pet.js'
import { describeInt64 } from './cases/int64.js'
import { describeLimits } from './cases/limits.js'
import { describeListInventory } from './cases/list-inventory.js'
import { describeListOrders } from './cases/list-orders.js'
import { describePreferences } from './cases/preferences.js'
import { describeSendMessage } from './cases/send-message.js'
import { describeSpecification } from './cases/specification.js'
import { describeUpdateInventory } from './cases/update-inventory.js'
import { describeWorlds } from './cases/worlds.js'

/** Defines the tests of every sentence of the specification and every assumption, over one transport. */
export function describeService(transport: Transport): void {
  const suite = createSuite(transport)
  // The last test checks what the others recorded.
  describe(`over ${transport.name}`, { shuffle: false }, () => {
    describeSpecification(suite)
    describeAddresses(suite)
    describeListInventory(suite)
    describeUpdateInventory(suite)
    describeGetPet(suite)
    describeListOrders(suite)
    describeSendMessage(suite)
    describeInt64(suite)
    describeAuthentication(suite)
    describeErrors(suite)
    describeLimits(suite)
    describeBans(suite)
    describePreferences(suite)
    describeFaults(suite)
    describeWorlds(suite)

    test('every operation, documented error and assumption appeared', () => {
      expect(suite.coverage.findGaps({ errors: errorsByOperation, assumptions })).toEqual([])
    })
  })
}
