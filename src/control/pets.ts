import { z } from 'zod'
import { toInt64Json } from '../contract/int64.js'
import type { Pet } from '../contract/schemas.js'
import { defineControl } from './control-operation.js'
import { fieldsSchema } from './record.js'

const petStateSchema = z.looseObject({
  petId: z.union([z.int(), z.string()]).describe('Past 2^53-1 as a string of digits.'),
  name: z.string(),
  quantity: z.int(),
  status: z.string(),
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
  errors: ['resource_conflict'],
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
