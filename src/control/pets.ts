import { z } from 'zod'
import { toInt64Json } from '../contract/int64.js'
import { petRecordSchema } from '../contract/response-schemas.js'
import type { Pet } from '../contract/schemas.js'
import { defineControl } from './control-operation.js'
import { fieldsSchema, int64StateSchema } from './record.js'

/** A pet as the control API shows it: its record, its stock and any further fields. */
export const petStateSchema = petRecordSchema.extend({
  petId: int64StateSchema,
  quantity: z.int().describe('Its stock count in the inventory'),
})

export const listPets = defineControl({
  method: 'GET',
  path: '/pets',
  resource: 'Data',
  summary: 'List the pets, each with its stock',
  response: z.array(petStateSchema),
  run: ({ world }) => world.db.pets().map(toPetState),
})

export const addPet = defineControl({
  method: 'POST',
  path: '/pets',
  resource: 'Data',
  summary: 'Add a pet',
  body: fieldsSchema,
  response: petStateSchema,
  status: 201,
  errors: ['missing_field', 'resource_conflict', 'sandbox_capacity'],
  run: ({ world, body }) => toPetState(world.addPet(body)),
})

export const changePet = defineControl({
  method: 'PATCH',
  path: '/pets/{petId}',
  resource: 'Data',
  summary: 'Change fields of a pet, its stock and status among them',
  body: fieldsSchema,
  response: petStateSchema,
  errors: ['pet_not_found'],
  run: ({ world, params, body }) => toPetState(world.changePet(params.petId ?? '', body)),
})

export const removePet = defineControl({
  method: 'DELETE',
  path: '/pets/{petId}',
  resource: 'Data',
  summary: 'Remove a pet',
  response: petStateSchema,
  errors: ['pet_not_found'],
  run: ({ world, params }) => toPetState(world.removePet(params.petId ?? '')),
})

function toPetState(pet: Pet): z.output<typeof petStateSchema> {
  return { ...pet, petId: toInt64Json(pet.petId) }
}
