import { useEffect, useState } from 'preact/hooks'
import { useDocuments } from '../documents/documents.js'
import { findOperation, type ServiceContract } from '../documents/service.js'

/** The views of the page, in the order of the menu. */
export const views = {
  overview: 'Overview',
  try: 'Try',
  data: 'Data',
  journal: 'Journal',
  report: 'Report',
  scenarios: 'Scenarios',
  faults: 'Faults',
  reference: 'Reference',
} as const

export type View = keyof typeof views

export const viewIds = Object.keys(views) as View[] // the keys of a const table

/** The selection in the fragment of the page's URL. */
export interface PageRoute {
  readonly view: View
  /** Id of an operation. Default: the first one. */
  readonly operation: string
  /** Id of an assumption. */
  readonly assumption: string | undefined
  /** Id of a journal entry. */
  readonly entry: number | undefined
}

/**
 * Reads a fragment such as `#data`, `#getPet`, `#A05`, `#request-7` or `#journal?status=429`. Other
 * fragments select the overview.
 */
export function readRoute(
  fragment: string,
  service: Pick<ServiceContract, 'operations' | 'assumptions'>,
): PageRoute {
  const name = fragment.replace(/^#/, '').replace(/\?.*$/, '')
  const operation = findOperation(service, name)?.id
  const assumption = Object.hasOwn(service.assumptions, name) ? name : undefined
  const [, id] = /^request-(\d{1,15})$/.exec(name) ?? []
  return {
    view: id ? 'journal' : toView(name, operation, assumption),
    operation: operation ?? service.operations[0]?.id ?? '',
    assumption,
    entry: id ? Number(id) : undefined,
  }
}

function toView(name: string, operation?: string, assumption?: string): View {
  if (operation !== undefined) return 'try'
  if (assumption !== undefined) return 'reference'
  return viewIds.find((id) => id === name) ?? 'overview'
}

/** Returns the route of the page. Renders again when it changes. */
export function useRoute(): PageRoute {
  const { service } = useDocuments()
  const [fragment, setFragment] = useState(() => location.hash)
  useEffect(() => {
    const onChange = () => setFragment(location.hash)
    addEventListener('hashchange', onChange)
    onChange() // the fragment may have changed since the first render
    return () => removeEventListener('hashchange', onChange)
  }, [])
  return readRoute(fragment, service)
}
