import { describe, expect, test } from 'vitest'
import { toOpenApi } from '../../../src/service/openapi/service.js'

const { schemas } = toOpenApi().components
const { InventoryItem, PetStatus, InventoryUpdate, Message, Error: ErrorBody } = schemas

describe('the schemas of spec §2', () => {
  test('InventoryItem has petId int64, quantity and status, all required', () => {
    expect(InventoryItem).toEqual({
      type: 'object',
      properties: {
        petId: {
          type: 'integer',
          format: 'int64',
          description: 'Identifier of the animal the entry tracks',
        },
        quantity: { type: 'integer', description: 'Current stock count' },
        status: { $ref: '#/components/schemas/PetStatus', description: 'Status of the pet' },
      },
      required: ['petId', 'quantity', 'status'],
    })
  })

  test('PetStatus allows available, pending and sold', () => {
    expect(PetStatus).toEqual({ type: 'string', enum: ['available', 'pending', 'sold'] })
  })

  test('InventoryUpdate has only quantity: it "takes only `quantity`" (spec §3)', () => {
    expect(InventoryUpdate).toEqual({
      type: 'object',
      properties: {
        quantity: {
          type: 'integer',
          minimum: 0,
          maximum: 9_007_199_254_740_991,
          description: expect.stringContaining('rules.quantity'),
        },
      },
      required: ['quantity'],
      additionalProperties: false,
    })
  })

  test('Error has code, message and status, all required', () => {
    expect(ErrorBody).toEqual({
      type: 'object',
      properties: {
        code: {
          type: 'string',
          description: 'Machine-readable error code',
          'x-extensible-enum': expect.arrayContaining(['pet_not_found', 'route_not_found']),
        },
        message: { type: 'string', description: 'Human-readable description' },
        status: { type: 'integer', description: 'The HTTP status code' },
      },
      required: ['code', 'message', 'status'],
    })
  })

  test('the message response has the four fields of spec §4.4', () => {
    expect(Message).toMatchObject({
      properties: {
        id: { type: 'string' },
        message: { type: 'string' },
        status: { type: 'string' },
        createdAt: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'message', 'status', 'createdAt'],
    })
  })
})
