import { addresses } from '../../contract/addresses.js'
import {
  type OperationContract,
  type OperationId,
  operations,
} from '../../operations/operations.js'
import { type Access, addressOf } from '../session/access.js'

/** What someone filled in for an operation. */
export interface TryInput {
  /** Path parameters by their names. */
  readonly parameters: Readonly<Record<string, string>>
  /** Undefined for an operation that takes none. */
  readonly body: string | undefined
  /** A status to ask for; empty for none. */
  readonly code: string
  /** Seconds to ask for; empty for none. */
  readonly wait: string
}

/** A request as it goes out. */
export interface RealRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The request that calls an operation with a key. */
export function toRequest(
  root: string,
  id: OperationId,
  { apiKey, environment }: Access,
  input: TryInput,
): RealRequest {
  const contract = operations[id]
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(input.parameters[name] ?? ''),
  )
  const prefer = toPrefer(input)
  return {
    method: contract.method,
    url: `${root}${addresses[addressOf(contract, environment)].httpPath}${path}`,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(input.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(prefer && { Prefer: prefer }),
    },
    ...(input.body !== undefined && { body: input.body }),
  }
}

/** The names of the parameters in an operation's path. */
export function parametersOf({ path }: Pick<OperationContract, 'path'>): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}

function toPrefer({ code, wait }: TryInput): string {
  return [code && `code=${code}`, wait && `wait=${wait}`].filter(Boolean).join(', ')
}
