import type { Change } from '../service/operations/change.js'

/** Number of changes to the records of each kind. */
export interface ChangeCounts {
  readonly pets: number
  readonly orders: number
  readonly messages: number
}

export const noChanges: ChangeCounts = { pets: 0, orders: 0, messages: 0 }

/** Returns the counts after changes were made (`by` is 1) or undone (`by` is -1). */
export function countChanges(
  counts: ChangeCounts,
  changes: readonly Change[],
  by: 1 | -1 = 1,
): ChangeCounts {
  const counted = { ...counts }
  for (const { type } of changes) counted[toKind(type)] += by
  return counted
}

function toKind(type: Change['type']): keyof ChangeCounts {
  if (type === 'message.queued') return 'messages'
  return type.startsWith('order') ? 'orders' : 'pets'
}
