import { useMemo, useRef } from 'preact/hooks'
import { arrange, type Query } from './arrange.js'

/** The order of the rows at the latest query. */
interface Order {
  readonly reason: string
  readonly keys: readonly string[]
}

/**
 * Returns the rows that match a query. While the user works in the table, changed rows keep their
 * place, and even those that no longer match stay: a row must not move away from the focus.
 *
 * @param reason Arranges the rows anew when it changes: the query, and the number of the page.
 * @param isHeld Whether the user works in the table.
 */
export function useArranged<T extends object>(
  rows: readonly T[],
  { query, reason }: { readonly query: Query; readonly reason: string },
  access: Parameters<typeof arrange<T>>[2] & { readonly toKey: (row: T) => string },
  isHeld: () => boolean,
): readonly T[] {
  const order = useRef<Order>(undefined)
  const { toKey } = access
  // The query is part of the reason; the functions only read the rows.
  return useMemo(() => {
    const held = order.current?.reason === reason && isHeld() ? order.current.keys : undefined
    const arranged = arrange(rows, held ? { ...query, sorting: undefined } : query, access)
    const keys = arranged.map(toKey)
    if (!held) {
      order.current = { reason, keys }
      return arranged
    }
    const known = new Set(held)
    // The key of a removed row keeps its place: the row may be added again.
    const all = [...held, ...keys.filter((key) => !known.has(key))]
    order.current = { reason, keys: all }
    const byKey = new Map(rows.map((row) => [toKey(row), row]))
    return all.flatMap((key) => byKey.get(key) ?? [])
  }, [rows, reason])
}
