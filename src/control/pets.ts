import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { listEntries } from '../service/bounds.js'
import { toInt64Json } from '../service/int64.js'
import { lazy } from '../service/lazy.js'
import { petRecordSchema } from '../service/response-schemas.js'
import { type Pet, type PetInput, petSchema } from '../service/schemas.js'
import { fieldsSchema } from './fields.js'
import { defineControl, defineResource } from './operation.js'
import { defineList } from './page.js'
import { int64StateSchema, toPartialSchema } from './record-schemas.js'

/** A pet in a control response: its record, its stock and any additional fields. */
const petStateSchema = lazy(() =>
  z.extend(petRecordSchema(), {
    petId: int64StateSchema(),
    quantity: annotate(z.int(), 'Stock count in the inventory'),
  }),
)

const nemo = {
  petId: 7,
  name: 'Nemo',
  status: 'available',
  category: 'fish',
  photoUrls: ['https://images.petstore.example/pets/7/1.jpg'],
  tags: ['ocellaris clownfish', 'saltwater'],
  quantity: 40,
}

const invalidPetId =
  'petId must be an int64 in canonical decimal, such as 7, found "seven" (string)'

const invalidQuantity = 'quantity must be an integer, found "5" (string)'

export const pets = defineResource({
  title: 'Pets',
  description: 'The pets and their stock, beyond what the service lets a client change.',
  operations: {
    listPets: defineList({
      idField: 'petId',
      path: '/pets',
      summary: 'List the pets with their stock',
      description: 'Lists the pets, each with its record and its stock.',
      response: {
        description: 'One entry per pet.',
        body: { schema: lazy(() => z.array(petStateSchema())), example: [nemo] },
      },
      records: ({ world }) => world.db.pets().map(toPetState),
    }),
    addPet: defineControl({
      method: 'POST',
      path: '/pets',
      summary: 'Add a pet',
      description:
        'Adds a pet with its stock at the end of every list. Additional fields are served unchanged.',
      request: {
        name: 'NewPet',
        schema: fieldsSchema,
        documentedSchema: petSchema,
        example: { petId: 77, name: 'Rex', category: 'dog', quantity: 3, weightKg: 31.5 },
      },
      response: {
        status: 201,
        description: 'The new pet.',
        body: {
          name: 'Pet',
          schema: petStateSchema,
          example: {
            petId: 77,
            name: 'Rex',
            status: 'available',
            category: 'dog',
            photoUrls: [],
            tags: [],
            quantity: 3,
            weightKg: 31.5,
          },
        },
      },
      errors: ['missing_field', 'resource_conflict', 'sandbox_capacity'],
      errorMessages: {
        invalid_field: invalidQuantity,
        sandbox_capacity: `a world of this sandbox has at most ${listEntries} pets; remove some`,
      },
      run: ({ world, body }) => toPetState(world.addPet(toInput(body))),
    }),
    changePet: defineControl({
      method: 'PATCH',
      path: '/pets/{petId}',
      summary: 'Change fields of a pet, including its stock and status',
      description:
        'Changes the fields of the body, including stock and status. `rules.quantity` does not apply. An additional field that is null is removed. The id cannot change: a `petId` in the body must equal the one in the path.',
      request: {
        name: 'PetChange',
        schema: fieldsSchema,
        documentedSchema: lazy(() => toPartialSchema(petSchema())),
        example: { quantity: 0, status: 'sold' },
      },
      response: {
        description: 'The pet after the change.',
        body: { schema: petStateSchema, example: { ...nemo, quantity: 0, status: 'sold' } },
      },
      errors: ['pet_not_found'],
      errorMessages: { invalid_parameter: invalidPetId, invalid_field: invalidQuantity },
      run: ({ world, params, body }) =>
        toPetState(world.changePet(params.petId ?? '', toInput(body))),
    }),
    removePet: defineControl({
      method: 'DELETE',
      path: '/pets/{petId}',
      summary: 'Remove a pet',
      description: 'Removes a pet from the store and its inventory. Its orders are not removed.',
      response: {
        description: 'The removed pet.',
        body: { schema: petStateSchema, example: nemo },
      },
      errors: ['pet_not_found'],
      errorMessages: { invalid_parameter: invalidPetId },
      run: ({ world, params }) => toPetState(world.removePet(params.petId ?? '')),
    }),
  },
})

function toInput(body: z.output<ReturnType<typeof fieldsSchema>>): PetInput {
  return body as PetInput // the world validates it and accepts any object at run time
}

function toPetState(pet: Pet): z.output<ReturnType<typeof petStateSchema>> {
  return { ...pet, petId: toInt64Json(pet.petId) }
}
