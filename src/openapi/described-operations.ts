import type { ErrorCode } from '../contract/errors.js'
import { type ControlOperation, controlAddresses } from '../control/control-operation.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../control/operations.js'
import type { DescribedOperation } from './source.js'

const bodyErrors = [
  'invalid_json',
  'invalid_field',
  'unsupported_media_type',
  'payload_too_large',
] as const satisfies readonly ErrorCode[]

/** Every control operation as the documents describe it; its path is below the address. */
export const describedControlOperations: Readonly<Record<ControlOperationId, DescribedOperation>> =
  Object.fromEntries(
    controlOperationIds.map((id) => [id, toDescribed(controlOperations[id])]),
  ) as Record<ControlOperationId, DescribedOperation> // the same keys as the table

function toDescribed(row: ControlOperation): DescribedOperation {
  const { method, path, resource, summary, status = 200 } = row
  return {
    method,
    path,
    addresses: controlAddresses,
    resource,
    summary,
    section: '',
    success: status,
    errors: toErrors(row),
    assumptions: [],
  }
}

/** The errors of its row, and those that every control operation of its kind has. */
function toErrors({ method, body, errors = [] }: ControlOperation): ErrorCode[] {
  return [
    ...(body ? bodyErrors : []),
    'invalid_parameter',
    'missing_api_key',
    'invalid_api_key',
    ...(method === 'GET' ? [] : (['cross_origin_denied'] as const)),
    ...errors,
    'internal_error',
  ]
}
