import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { petRecordSchema } from '../service/schemas.js'
import type { ControlResource } from './operation.js'
import { defineRecords, int64StateSchema } from './records.js'

/** A pet in a control response: its record, its stock and any additional fields. */
const petStateSchema = z.extend(petRecordSchema, {
  petId: int64StateSchema,
  quantity: annotate(z.int(), 'Stock count in the inventory'),
})

const invalidQuantity = 'quantity must be an integer, found "5" (string)'

const { list, add, change, remove } = defineRecords('pets', {
  identifies: 'the animal',
  stateSchema: petStateSchema,
  columns: ['petId', 'quantity', 'status', 'category', 'name'],
  list: {
    summary: 'List the pets with their stock',
    description: 'Lists the pets, each with its record and its stock.',
  },
  add: {
    summary: 'Add a pet',
    description:
      'Adds a pet with its stock at the end of every list. Additional fields are served unchanged.',
    example: { petId: 77, name: 'Rex', category: 'dog', quantity: 3, weightKg: 31.5 },
    errorMessages: { invalid_field: invalidQuantity },
  },
  change: {
    summary: 'Change fields of a pet, including its stock and status',
    description:
      'Changes the fields of the body, including stock and status. `rules.quantity` does not apply. An additional field that is null is removed. The id cannot change: a `petId` in the body must equal the one in the path.',
    example: { quantity: 0, status: 'sold' },
    errorMessages: { invalid_field: invalidQuantity },
  },
  remove: {
    summary: 'Remove a pet',
    description: 'Removes a pet from the store and its inventory. Its orders are not removed.',
  },
})

export const pets = {
  title: 'Pets',
  description: 'The pets and their stock, with changes that the service does not offer.',
  operations: { listPets: list, addPet: add, changePet: change, removePet: remove },
} satisfies ControlResource
