import { Problem } from '../errors.js'
import { JsonText } from '../json-text.js'
import { createNotFoundProblem } from '../records.js'
import { petRecordSchema, recordModels } from '../schemas.js'
import { toTimestamp } from '../timestamp.js'
import type { Operation } from './operation.js'

const { quantity: _, ...example } = recordModels.pets.example

/** Returns one pet (spec §4.3). Deprecated, and gone after its sunset (A21). */
export const getPet: Operation = {
  method: 'GET',
  path: '/pets/{petId}',
  addresses: ['api', 'staging'],
  resource: 'Pets',
  section: '4.3',
  deprecated: true,
  summary: 'Get a pet',
  description: 'Returns the record of one pet.',
  response: {
    description: 'The record of the pet.',
    body: {
      name: 'Pet',
      schema: petRecordSchema,
      example,
    },
  },
  errors: ['pet_not_found', 'operation_gone'],
  assumptions: ['A03', 'A05', 'A15', 'A21'],
  run({ world, params }) {
    const { sunsetAtMs, afterSunset } = world.deprecation
    if (afterSunset === 'gone' && world.clock.now() >= sunsetAtMs) {
      const date = toTimestamp(sunsetAtMs)
      throw new Problem('operation_gone', `the sunset of getPet was at ${date}`)
    }
    const { petId = '' } = params
    const pet = world.db.pets.find(petId)
    if (!pet) throw createNotFoundProblem('pets', petId)
    const { quantity: _, petId: id, ...others } = pet
    // A JSON number without loss of precision.
    return { body: new JsonText(`{"petId":${id},${JSON.stringify(others).slice(1)}`) }
  },
}
