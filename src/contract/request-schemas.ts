import type { z } from 'zod'
import type { OperationId } from './operations.js'
import { createInventoryUpdateSchema, messageRequestSchema } from './schemas.js'

/**
 * The body that each operation takes, as the contract has it: without bounds on `quantity`, which
 * the specification does not show and a scenario sets (A02).
 */
export const requestSchemas = {
  updateInventory: createInventoryUpdateSchema({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    additionalFields: 'reject',
  }),
  sendMessage: messageRequestSchema,
} as const satisfies Partial<Record<OperationId, z.ZodType>>
