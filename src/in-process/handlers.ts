import type { AddressId } from '../contract/addresses.js'
import { operationIds, operations } from '../operations/operations.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { BaseUrl, BaseUrls } from './base-urls.js'
import { OperationHandler } from './operation-handler.js'

/**
 * Creates the request handlers of a sandbox: one for each operation at each of its addresses,
 * followed by a fallback for each address except `*`. Longer base URLs come first, because one
 * address may be below another.
 */
export function createHandlers(sandbox: Sandbox, bases: BaseUrls): OperationHandler[] {
  const ids = Object.keys(bases) as AddressId[] // BaseUrls has every address
  const longestFirst = ids.toSorted((a, b) => bases[b].text.length - bases[a].text.length)
  const bounded = longestFirst.filter((address) => !matchesEverything(bases[address]))
  return [
    ...longestFirst.flatMap((address) => createOperationHandlers(sandbox, address, bases[address])),
    ...bounded.map((address) => new OperationHandler(sandbox, address, bases[address], undefined)),
  ]
}

/** Handlers by the resource of their operation. `rest` has the handlers without an operation. */
export type HandlerGroups = Readonly<
  Record<'store' | 'pets' | 'messages' | 'rest', OperationHandler[]>
>

const groupOf = { Store: 'store', Pets: 'pets', Messages: 'messages' } as const

/** Groups handlers and preserves their order within each group. */
export function groupHandlers(handlers: readonly OperationHandler[]): HandlerGroups {
  const groups: HandlerGroups = { store: [], pets: [], messages: [], rest: [] }
  for (const handler of handlers) {
    const contract = handler.operation && operations[handler.operation]
    const group = contract ? groupOf[contract.resource] : 'rest'
    groups[group].push(handler)
  }
  return groups
}

function createOperationHandlers(
  sandbox: Sandbox,
  address: AddressId,
  base: BaseUrl,
): OperationHandler[] {
  const available = operationIds.filter((id) =>
    (operations[id].addresses as readonly AddressId[]).includes(address),
  )
  return available.map((id) => new OperationHandler(sandbox, address, base, id))
}

/** Whether a base URL is `*`, which also matches requests to other services. */
function matchesEverything(base: BaseUrl): boolean {
  return base.origin === undefined && base.prefix === ''
}
