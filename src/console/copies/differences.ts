import type { ControlResult } from '../../control/operations.js'
import { isPlainObject } from '../../service/validation/options.js'

type Snapshot = ControlResult<'getSnapshot'>
type Fields = Readonly<Record<string, unknown>>

/** How the state of a world differs from the start of its scenario. */
export interface Differences {
  /** Fields of a scenario that extends the scenario of the world. */
  readonly fields: Fields
  /** Changes to the records after the start of that scenario, in order. */
  readonly changes: readonly RecordChange[]
}

/** A call of `world.db`: `pets.change(7, { quantity: 3 })`. */
export interface RecordChange {
  readonly method: `${'pets' | 'orders'}.${'add' | 'change' | 'remove'}`
  readonly parameters: readonly unknown[]
}

/** Fields that say nothing about the state, or that a test sets itself. */
const ignored: ReadonlySet<string> = new Set(['name', 'description', 'clock', 'pets', 'orders'])

/**
 * Returns how a state differs from another one. Undefined if a scenario that extends the other one
 * cannot express it: what a scenario states is added to what it extends.
 */
export function findDifferences(base: Snapshot, state: Snapshot): Differences | undefined {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(state)) {
    const before = (base as Fields)[name]
    if (ignored.has(name) || isEqual(before, value)) continue
    if (!hasFieldsOf(value, before)) return undefined
    fields[name] =
      isPlainObject(value) && isPlainObject(before) ? compareFields(before, value) : value
  }
  const changes: RecordChange[] = []
  for (const [kind, id] of [['pets', 'petId'] as const, ['orders', 'id'] as const]) {
    const found = compareRecords(kind, id, base[kind] ?? [], state[kind] ?? [])
    if (found) changes.push(...found)
    else fields[kind] = state[kind]
  }
  // Windows and bans must have started when the world starts.
  return { fields: fields.quota ? { clock: state.clock, ...fields } : fields, changes }
}

/** Returns the changes that lead from records to others. Undefined if their order prevents it. */
function compareRecords(
  kind: 'pets' | 'orders',
  id: string,
  base: readonly Fields[],
  state: readonly Fields[],
): readonly RecordChange[] | undefined {
  const before = new Map(base.map((record) => [record[id], record]))
  const after = new Map(state.map((record) => [record[id], record]))
  const removed = base.filter((record) => !after.has(record[id]))
  const added = state.filter((record) => !before.has(record[id]))
  const kept = base.filter((record) => after.has(record[id]))
  // An added record comes last.
  const order = [...kept, ...added].map((record) => record[id])
  if (!isEqual(order, [...after.keys()])) return undefined
  return [
    ...removed.map(
      (record): RecordChange => ({ method: `${kind}.remove`, parameters: [record[id]] }),
    ),
    ...kept.flatMap((record): RecordChange[] => {
      const fields = compareFields(record, after.get(record[id]) ?? {})
      if (Object.keys(fields).length === 0) return []
      return [{ method: `${kind}.change`, parameters: [record[id], fields] }]
    }),
    ...added.map((record): RecordChange => ({ method: `${kind}.add`, parameters: [record] })),
  ]
}

/** Returns the fields that change one record into another: null removes an additional field. */
function compareFields(before: Fields, after: Fields): Fields {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => !isEqual(before[name], after[name]))
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]))
}

/** Whether an object has every field of another one, and so has each object in it. */
function hasFieldsOf(value: unknown, other: unknown): boolean {
  if (!isPlainObject(other)) return true
  return (
    isPlainObject(value) &&
    Object.entries(other).every(
      ([name, field]) => Object.hasOwn(value, name) && hasFieldsOf(value[name], field),
    )
  )
}

/** Compares JSON data. The fields of a snapshot are always in the same order. */
function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
