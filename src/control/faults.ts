import { faultsSchema } from '../world/faults/faults.js'
import { defineControl } from './control-operation.js'

export const listFaults = defineControl({
  method: 'GET',
  path: '/faults',
  resource: 'Faults',
  summary: 'List the faults, each with how often it may still strike',
  response: faultsSchema,
  run: ({ world }) => world.faults.list(),
})

export const replaceFaults = defineControl({
  method: 'PUT',
  path: '/faults',
  resource: 'Faults',
  summary: 'Replace all faults',
  body: faultsSchema,
  response: faultsSchema,
  errors: ['missing_field'],
  run({ world, body }) {
    world.faults.set(body)
    return world.faults.list()
  },
})

export const clearFaults = defineControl({
  method: 'DELETE',
  path: '/faults',
  resource: 'Faults',
  summary: 'Remove all faults',
  response: faultsSchema,
  run({ world }) {
    world.faults.clear()
    return []
  },
})
