import { useRef } from 'preact/hooks'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { type Body, toChange, toNewRecord } from './edit.js'
import { additional, type Draft, type JsonRecord } from './fields.js'
import { type Problems, toProblems } from './problems.js'
import type { RecordKind } from './record-kind.js'
import type { Removal } from './removal-list.js'
import type { RecordList } from './use-records.js'
import { useRemovals } from './use-removals.js'

/** Changes records. Each function that can fail returns the problems; undefined after a success. */
export interface RecordActions<T> {
  add(record: JsonRecord, draft: Draft): Promise<Problems | undefined>
  change(row: T, draft: Draft): Promise<Problems | undefined>
  remove(row: T): Promise<void>
  /** The removed records, the latest first. */
  readonly removals: readonly Removal[]
  /** Adds a removed record again, at the end of the list. */
  undo(removal: Removal): Promise<void>
  dismiss(removal: Removal): void
  /** Offers to add a record again that another client removed, with what was typed. */
  offer(row: T, draft: Draft): void
}

/** Returns the actions on the records of a kind, which also change the loaded list. */
export function useRecordActions<T extends JsonRecord>(
  kind: RecordKind<T>,
  list: Pick<RecordList<T>, 'apply'>,
): RecordActions<T> {
  const { client, notify } = useSession()
  const { removals, push, dismiss } = useRemovals(kind.name)
  const { send, save } = useRequests(kind, list)
  /** Keys of the records that this page removes, although something is typed in their rows. */
  const removing = useRef(new Set<string>())
  const { toKey, toName } = kind
  const report = (problems: Problems | undefined) =>
    problems && notify(Object.values(problems).join('; '), 'error')
  return {
    add: (record, draft) =>
      save(toNewRecord(kind, record, draft), toAdded, (json) => kind.add(client, json)),
    async change(row, draft) {
      const body = toChange(kind, row, draft)
      return body && save(body, toChanged, (json) => kind.change(client, row, json))
    },
    async remove(row) {
      const [key, name] = [toKey(row), toName(row)]
      removing.current.add(key)
      const problems = await send([], async () => {
        const removed = await kind.remove(client, row)
        list.apply((rows) => rows.filter((other) => toKey(other) !== key))
        push({ key, name, json: JSON.stringify(removed), isElsewhere: false })
      })
      removing.current.delete(key)
      report(problems)
    },
    removals,
    async undo(removal) {
      const body = { json: removal.json }
      const problems = await save(body, toRestored, (json) => kind.add(client, json))
      report(problems)
      if (!problems) dismiss(removal)
    },
    dismiss,
    offer(row, draft) {
      const [key, name] = [toKey(row), toName(row)]
      const { json } = toNewRecord(kind, row, draft)
      if (json && !removing.current.has(key)) push({ key, name, json, isElsewhere: true })
    },
  }
}

const toAdded = (name: string) => `Added ${name}.`
const toChanged = (name: string) => `Changed ${name}.`
const toRestored = (name: string) => `Restored ${name}. The service lists it last.`

/** Returns functions that send requests. They resolve to the problems of a rejected record. */
function useRequests<T extends JsonRecord>(
  kind: RecordKind<T>,
  { apply }: Pick<RecordList<T>, 'apply'>,
) {
  const { refresh, notify } = useSession()
  const { toKey, toName } = kind
  /** The latest request. A response has the whole record, so each request waits for the previous one. */
  const latest = useRef<Promise<unknown>>(undefined)
  const send = async (names: readonly string[], request: () => Promise<void>) => {
    const sent = Promise.resolve(latest.current).then(request, request)
    latest.current = sent
    try {
      await sent
      return undefined
    } catch (error) {
      return toProblems(toFailure(error).message, (name) => findField(kind, names, name))
    } finally {
      void refresh()
    }
  }
  const save = async (
    body: Body,
    toNotice: (name: string) => string,
    request: (json: string) => Promise<T>,
  ) => {
    const { json, problems } = body
    if (problems) return problems
    return send(Object.keys(JSON.parse(json)), async () => {
      const row = await request(json)
      apply((rows) => put(rows, row, toKey))
      notify(toNotice(toName(row)))
    })
  }
  return { send, save }
}

/** Returns the input of a field that a message names. */
function findField(
  { fields }: Pick<RecordKind<JsonRecord>, 'fields'>,
  names: readonly string[],
  name: string,
): string | undefined {
  if (fields.some((field) => field.name === name)) return name
  return names.includes(name) ? additional : undefined
}

/** Replaces the record with the same key, or appends it. */
function put<T>(rows: readonly T[], row: T, toKey: (row: T) => string): readonly T[] {
  const key = toKey(row)
  const at = rows.findIndex((other) => toKey(other) === key)
  return at < 0 ? [...rows, row] : rows.with(at, row)
}
