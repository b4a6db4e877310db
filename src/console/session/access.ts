import { type AddressId, addresses, type Environment } from '../../contract/addresses.js'
import type { OperationContract } from '../../operations/operations.js'

/** Which world the page shows: the key that names it, and the environment it is in. */
export interface Access {
  readonly apiKey: string
  readonly environment: Environment
}

export const defaultAccess: Access = { apiKey: 'sbx_free', environment: 'production' }

/** The address that steers the worlds of an environment. */
export function controlAddressOf(environment: Environment): AddressId {
  return environment === 'staging' ? 'stagingControl' : 'control'
}

/** The address of an operation in an environment; its only one where it has none there. */
export function addressOf(
  contract: Pick<OperationContract, 'addresses'>,
  environment: Environment,
): AddressId {
  const inIt = contract.addresses.find((id) => addresses[id].environment === environment)
  return inIt ?? contract.addresses[0] ?? 'api'
}

/** Whether a text can travel as a bearer token: visible ASCII, nothing else. */
export function isSendable(apiKey: string): boolean {
  return /^[\x21-\x7e]+$/.test(apiKey)
}
