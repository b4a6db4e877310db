import type { OperationDetail } from '../openapi/source.js'
import type { OperationId } from './operations.js'

const noInt64 = {
  invalid_parameter:
    'petId must be an int64 in canonical decimal, such as 7, found "seven" (string)',
}
const nemo = { petId: 7, quantity: 40, status: 'available' } as const

/**
 * What the documents say of each operation beyond its row. The examples are answers of the
 * `default` scenario; a test holds them against it.
 */
export const operationDetails: Readonly<Record<OperationId, OperationDetail>> = {
  listInventory: {
    description: 'Lists the stock entries of all pets.',
    success: 'One entry per pet in the store.',
    response: [
      { petId: 2, quantity: 6, status: 'available' },
      { petId: 3, quantity: 1, status: 'pending' },
      { petId: 4, quantity: 0, status: 'sold' },
    ],
  },
  updateInventory: {
    description:
      'Sets the stock quantity of one pet: to record new arrivals, returns and manual adjustments.',
    success: 'The updated entry.',
    request: { quantity: 25 },
    response: { ...nemo, quantity: 25 },
    errorMessages: noInt64,
  },
  getPet: {
    description: 'Shows the record of one pet.',
    success: 'The record of the pet.',
    response: {
      petId: 7,
      name: 'Nemo',
      status: 'available',
      category: 'fish',
      photoUrls: ['https://images.petstore.example/pets/7/1.jpg'],
      tags: ['ocellaris clownfish', 'saltwater'],
    },
    errorMessages: noInt64,
  },
  listOrders: {
    description: 'Lists the store orders.',
    success: 'One record per order.',
    response: [
      {
        id: 1001,
        petId: 4,
        quantity: 1,
        shipDate: '2026-01-12T09:30:00.000Z',
        status: 'delivered',
        complete: true,
      },
      {
        id: 1005,
        petId: 7,
        quantity: 10,
        shipDate: '2026-02-09T08:00:00.000Z',
        status: 'placed',
        complete: false,
      },
    ],
  },
  sendMessage: {
    description: 'Queues a message: the example of the quickstart.',
    success: 'The message, which was only queued.',
    request: { message: 'Hello, pets!' },
    response: {
      id: 'msg_4fQ2mT8xK1vZ7cR9bN3wL6pS',
      message: 'Hello, pets!',
      status: 'queued',
      createdAt: '2026-01-01T09:00:00.000Z',
    },
    errorMessages: {
      invalid_json: 'the body must be JSON, found "{\\"message\\":" (string)',
      missing_field: 'message is missing, wanted a string',
      invalid_field: 'message must be a string, found 5 (number)',
    },
  },
}
