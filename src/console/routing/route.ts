import { type AssumptionId, assumptions } from '../../contract/assumptions.js'
import { type OperationId, operationIds } from '../../operations/operations.js'

/** The views of the page, in the order of the menu. */
export const views = {
  overview: 'Overview',
  try: 'Try',
  data: 'Data',
  journal: 'Journal',
  snapshot: 'Snapshot',
  reference: 'Reference',
} as const

export type View = keyof typeof views

export const viewIds = Object.keys(views) as View[] // the keys of a const table

/** Where in the page a fragment leads. */
export interface PageRoute {
  readonly view: View
  readonly operation: OperationId
  readonly assumption: AssumptionId | undefined
}

/** Reads a fragment such as `#data`, `#getPet` or `#A05`; anything else leads to the overview. */
export function readRoute(fragment: string): PageRoute {
  const name = fragment.replace(/^#/, '')
  const operation = operationIds.find((id) => id === name)
  const assumption = Object.hasOwn(assumptions, name) ? (name as AssumptionId) : undefined // a key
  return {
    view: toView(name, operation, assumption),
    operation: operation ?? 'listInventory',
    assumption,
  }
}

function toView(name: string, operation?: OperationId, assumption?: AssumptionId): View {
  if (operation) return 'try'
  if (assumption) return 'reference'
  return viewIds.find((id) => id === name) ?? 'overview'
}
