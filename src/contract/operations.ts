import type { AddressId } from './addresses.js'
import type { ErrorCode } from './errors.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What the contract says of one operation. */
export interface OperationContract {
  readonly method: Method
  /** Below the base address, with parameters in braces. */
  readonly path: string
  readonly addresses: readonly AddressId[]
  readonly resource: 'Store' | 'Pets' | 'Messages'
  readonly summary: string
  /** Section of the specification. */
  readonly section: string
  /** The mark of spec §9; none means that none is given. */
  readonly stability?: 'experimental' | 'beta'
  /** Marked in spec §9; the dates belong to the scenario (A05). */
  readonly deprecated?: true
  readonly success: 200
  /** Every error that a client can meet at this operation. */
  readonly errors: readonly ErrorCode[]
  /** Rows of `assumptions` that fill what the specification leaves open here. */
  readonly assumptions: readonly string[]
}

const authenticationErrors = ['missing_api_key', 'invalid_api_key'] as const
const limitErrors = ['rate_limit_exceeded', 'api_key_banned'] as const
const bodyErrors = [
  'invalid_json',
  'missing_field',
  'invalid_field',
  'unsupported_media_type',
] as const
const everyOperation = [...authenticationErrors, ...limitErrors, 'internal_error'] as const

/** The five operations of spec §4. */
export const operations = {
  listInventory: {
    method: 'GET',
    path: '/inventory',
    addresses: ['api', 'staging'],
    resource: 'Store',
    summary: 'List inventory',
    section: '4.1',
    success: 200,
    errors: everyOperation,
    assumptions: ['A19'],
  },
  updateInventory: {
    method: 'PATCH',
    path: '/inventory/{petId}',
    addresses: ['api', 'staging'],
    resource: 'Store',
    summary: 'Update stock level',
    section: '4.2',
    stability: 'experimental',
    success: 200,
    errors: [
      ...everyOperation,
      ...bodyErrors,
      'invalid_parameter',
      'pet_not_found',
      'payload_too_large',
    ],
    assumptions: ['A02', 'A11', 'A12', 'A14', 'A15'],
  },
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    addresses: ['api', 'staging'],
    resource: 'Pets',
    summary: 'Get a pet',
    section: '4.3',
    deprecated: true,
    success: 200,
    errors: [...everyOperation, 'invalid_parameter', 'pet_not_found', 'operation_gone'],
    assumptions: ['A03', 'A05', 'A15', 'A21'],
  },
  listOrders: {
    method: 'GET',
    path: '/store/orders',
    addresses: ['api', 'staging'],
    resource: 'Store',
    summary: 'List store orders',
    section: '4.3',
    success: 200,
    errors: everyOperation,
    assumptions: ['A04', 'A19'],
  },
  sendMessage: {
    method: 'POST',
    path: '/messages',
    addresses: ['quickstart'],
    resource: 'Messages',
    summary: 'Send a message',
    section: '4.4',
    success: 200,
    errors: [...everyOperation, ...bodyErrors, 'payload_too_large'],
    assumptions: ['A10', 'A11', 'A12', 'A14', 'A20', 'A23'],
  },
} as const satisfies Record<string, OperationContract>

export type OperationId = keyof typeof operations

export const operationIds = Object.keys(operations) as OperationId[] // the keys of a const table
