import { type AddressId, addresses } from '../contract/addresses.js'
import { operationIds, operations } from '../operations/operations.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { type BaseUrl, readBaseUrl } from './base-url.js'
import { OperationHandler } from './operation-handler.js'

/** Where each address of the service lives. */
export type BaseUrls = Readonly<Record<AddressId, BaseUrl>>

/**
 * Reads where each address lives; one that is not given has its default.
 *
 * @throws {TypeError} When one is no URL, path or `*`.
 */
export function readBaseUrls(given: Readonly<Partial<Record<AddressId, string>>>): BaseUrls {
  const read = (id: AddressId) => readBaseUrl(given[id] ?? addresses[id].url, `the ${id} address`)
  return {
    api: read('api'),
    staging: read('staging'),
    quickstart: read('quickstart'),
    control: read('control'),
    stagingControl: read('stagingControl'),
  }
}

/**
 * The request handlers of a sandbox: one for each operation at each of its addresses, and last one
 * for each address that answers all else below it. The longest address comes first, so that one
 * within another is found.
 */
export function createHandlers(sandbox: Sandbox, bases: BaseUrls): OperationHandler[] {
  const ids = Object.keys(bases) as AddressId[] // BaseUrls has every address
  const longestFirst = ids.toSorted((a, b) => bases[b].text.length - bases[a].text.length)
  const bounded = longestFirst.filter((address) => !isEverything(bases[address]))
  return [
    ...longestFirst.flatMap((address) => createOperationHandlers(sandbox, address, bases[address])),
    ...bounded.map((address) => new OperationHandler(sandbox, address, bases[address], undefined)),
  ]
}

/** Handlers by the resource of their operation; `rest` answers all else below the addresses. */
export type HandlerGroups = Readonly<
  Record<'store' | 'pets' | 'messages' | 'rest', OperationHandler[]>
>

/** Groups handlers and keeps their order; the groups one after the other answer as all did. */
export function groupHandlers(handlers: readonly OperationHandler[]): HandlerGroups {
  const groups: HandlerGroups = { store: [], pets: [], messages: [], rest: [] }
  for (const handler of handlers) {
    const contract = handler.operation && operations[handler.operation]
    const group = contract ? groupOf[contract.resource] : 'rest'
    groups[group].push(handler)
  }
  return groups
}

const groupOf = { Store: 'store', Pets: 'pets', Messages: 'messages' } as const

function createOperationHandlers(
  sandbox: Sandbox,
  address: AddressId,
  base: BaseUrl,
): OperationHandler[] {
  const here = operationIds.filter((id) =>
    (operations[id].addresses as readonly AddressId[]).includes(address),
  )
  return here.map((id) => new OperationHandler(sandbox, address, base, id))
}

/** Below `*` stands all that a page or a test asks for, not only the service. */
function isEverything(base: BaseUrl): boolean {
  return base.origin === undefined && base.prefix === ''
}
