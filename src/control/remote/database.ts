import { type Int64Input, readId } from '../../service/int64.js'
import { fromJsonRecord, mapKinds, recordKinds, type WritableKind } from '../../service/records.js'
import type { KindName, RecordOf } from '../../service/schemas.js'
import type { Collection } from '../../world/database/collection.js'
import type { Table } from '../../world/database/table.js'
import { type ControlClient, readPages } from '../client/client.js'
import { capitalize } from '../operation.js'
import { hideMembers, type Remote } from './mapped.js'

/**
 * The data of a remote world: a collection for each kind of record, such as `db.pets`, with the methods
 * of `Collection`, which return promises.
 */
export type RemoteDatabase = {
  readonly [Kind in KindName]: Kind extends WritableKind
    ? RemoteCollection<Kind>
    : RemoteTable<Kind>
}

type TableMember = 'count' | 'list' | 'find'
type RemoteTable<Kind extends KindName> = Remote<Table<Kind>, TableMember>
type RemoteCollection<Kind extends WritableKind> = Remote<
  Collection<Kind>,
  TableMember | 'add' | 'change' | 'remove'
>

export function createRemoteDatabase(client: ControlClient): RemoteDatabase {
  return mapKinds((kind) =>
    hideMembers(isWritable(kind) ? createCollection(client, kind) : createTable(client, kind)),
  )
}

function isWritable(kind: KindName): kind is WritableKind {
  return 'notFound' in recordKinds[kind]
}

function createTable<Kind extends KindName>(client: ControlClient, kind: Kind) {
  const list = async (): Promise<RecordOf<Kind>[]> => {
    const records: object[] = await readPages(client, `list${capitalize(kind)}` as ListId)
    return records.map((record) => fromJsonRecord(kind, record))
  }
  return {
    get count() {
      return client.send('getOverview').then(({ counts }) => counts[kind])
    },
    list,
    async find(id: Int64Input) {
      const { id: name } = recordKinds[kind]
      const wanted = readId(name, id)
      return (await list()).find((record) => record[name as keyof typeof record] === wanted)
    },
  }
}

function createCollection<Kind extends WritableKind>(
  client: ControlClient,
  kind: Kind,
): RemoteCollection<Kind> {
  const { noun, id: name } = recordKinds[kind]
  /** Sends an operation that returns a record. `id` can be anything if its path has none. */
  const send = async (action: Action, id: Int64Input, body?: object) => {
    const input = { params: { [name]: readId(name, id) }, json: JSON.stringify(body, toDigits) }
    const operation = `${action}${capitalize(noun)}` as `${Action}Pet`
    return fromJsonRecord(kind, await client.send(operation, input))
  }
  const table = createTable(client, kind)
  return {
    get count() {
      return table.count
    },
    list: table.list,
    find: table.find,
    add: (input) => send('add', '', { ...input }),
    change: (id, fields) => send('change', id, { ...fields }),
    remove: (id) => send('remove', id),
  } as RemoteCollection<Kind> // the mapped type is unresolved while the kind is generic
}

type Action = 'add' | 'change' | 'remove'
/** Does not compile if the control API has no resource for a kind. */
type ListId = `list${Capitalize<KindName>}`

/** Writes an int64 as its decimal digits, in which it is exact. */
function toDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
