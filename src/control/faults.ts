import { faultKinds, faultSchema, faultsSchema } from '../world/faults/schema.js'
import { type ControlResource, defineControl } from './operation.js'

const kinds = [...Object.keys(faultKinds), 'sequence'].map((kind) => `"${kind}"`)

/** Every operation responds with the faults of the world. */
const list = { schema: faultsSchema }

export const faults = {
  title: 'Faults',
  description:
    'Simulated failures: error statuses, delays, broken connections and sequences of them.',
  operations: {
    listFaults: defineControl({
      method: 'GET',
      path: '/faults',
      summary: 'List the faults with their remaining uses',
      description:
        'Lists the faults in the order in which they apply. Shows the remaining `atMost`, `skip` and `sequence` of each; `triggered` is the number of requests that have used the fault.',
      response: { description: 'One entry per fault.', body: list },
      run: ({ world }) => world.faults.list(),
    }),
    addFault: defineControl({
      method: 'POST',
      path: '/faults',
      summary: 'Append a fault',
      description:
        'Appends a fault. A world has at most 100 faults. Concurrent additions do not replace each other.',
      request: {
        name: 'Fault',
        schema: faultSchema,
        example: { type: 'delay', delayMs: 500, rate: 0.1 },
      },
      response: {
        status: 201,
        description: 'All faults, including the new one.',
        body: list,
      },
      errors: ['missing_field', 'sandbox_capacity'],
      errorMessages: {
        missing_field: 'delayMs is missing, wanted an integer or an object',
        invalid_field: 'rate must be a number of at most 1, found 10 (number)',
        sandbox_capacity: 'a world of this sandbox has at most 100 faults; remove some',
      },
      run({ world, body }) {
        world.faults.add(body)
        return world.faults.list()
      },
    }),
    replaceFaults: defineControl({
      method: 'PUT',
      path: '/faults',
      summary: 'Replace all faults',
      description:
        'Replaces all faults. The body lists at most 100: error statuses, delays, broken connections and sequences of them.',
      request: {
        name: 'Faults',
        schema: faultsSchema,
        example: [
          { type: 'status', status: 503, operation: 'getPet', atMost: 2 },
          { type: 'truncate', rate: 0.1 },
          { type: 'reset', phase: 'after', operation: 'updateInventory', match: { petId: 7 } },
          { operation: 'listOrders', sequence: [{ status: 503 }, 'pass', { delayMs: 200 }] },
        ],
      },
      response: { description: 'The faults after the change.', body: list },
      errors: ['missing_field'],
      errorMessages: {
        missing_field: '[0].status is missing, wanted an integer',
        invalid_field: `[0].type must be ${kinds.join(' or ')}, found "explode" (string)`,
      },
      run({ world, body }) {
        world.faults.set(body)
        return world.faults.list()
      },
    }),
    clearFaults: defineControl({
      method: 'DELETE',
      path: '/faults',
      summary: 'Remove all faults',
      description: 'Removes all faults.',
      response: { description: 'An empty list.', body: list },
      run({ world }) {
        world.faults.clear()
        return []
      },
    }),
  },
} satisfies ControlResource
