import { type Int64Input, readId } from '../../service/int64.js'
import {
  capitalize,
  fromJsonRecord,
  recordKinds,
  type WritableKind,
} from '../../service/records.js'
import type { KindName, RecordInput, RecordOf } from '../../service/schemas.js'
import type { RecordChanges } from '../../world/database/collection.js'
import { type ControlClient, readPages } from '../client/client.js'

/** The data of a remote world: a collection for each kind of record, such as `db.pets`. */
export type RemoteDatabase = {
  readonly [Kind in KindName]: Kind extends WritableKind
    ? RemoteCollection<Kind>
    : RemoteTable<Kind>
}

export function createRemoteDatabase(client: ControlClient): RemoteDatabase {
  const kinds = Object.entries(recordKinds).map(([kind, definition]) => {
    const Table: typeof RemoteTable<WritableKind> =
      'notFound' in definition ? RemoteCollection : RemoteTable
    return [kind, new Table(client, kind as WritableKind)]
  })
  return Object.fromEntries(kinds)
}

/** The records of one kind in a remote world. */
export class RemoteTable<Kind extends KindName> {
  readonly #client: ControlClient

  /** @internal */
  constructor(
    client: ControlClient,
    protected readonly kind: Kind,
  ) {
    this.#client = client
  }

  /** Number of records. */
  get count(): Promise<number> {
    return this.#client.send('getOverview').then(({ counts }) => counts[this.kind])
  }

  /** Resolves to the records, in insertion order. */
  async list(): Promise<RecordOf<Kind>[]> {
    const id = `list${capitalize(this.kind)}` as ListId
    const records: object[] = await readPages(this.#client, id)
    return records.map((record) => fromJsonRecord(this.kind, record))
  }

  /**
   * Resolves to a record.
   *
   * @param id The id. Beyond 2^53-1, a string or a bigint.
   */
  async find(id: Int64Input): Promise<RecordOf<Kind> | undefined> {
    const { id: name } = recordKinds[this.kind]
    const wanted = readId(name, id)
    return (await this.list()).find((record) => record[name as keyof typeof record] === wanted)
  }

  /**
   * Sends an operation that returns a record.
   *
   * @param id The id in the path; anything if it has none. @internal
   */
  protected async send(action: Action, id: Int64Input, body?: object): Promise<RecordOf<Kind>> {
    const { noun, id: name } = recordKinds[this.kind]
    const input = { params: { [name]: readId(name, id) }, json: JSON.stringify(body, toDigits) }
    const operation = `${action}${capitalize(noun)}` as `${Action}Pet`
    return fromJsonRecord(this.kind, await this.#client.send(operation, input))
  }
}

/** The records of a kind in a remote world that can be added, changed and removed. */
export class RemoteCollection<Kind extends WritableKind> extends RemoteTable<Kind> {
  /**
   * Adds a record. Resolves to it with the defaults of fields that are not given.
   *
   * @throws {RemoteError} invalid_field, missing_field, resource_conflict if the id already exists,
   * or sandbox_capacity if the world has 20,000 records of the kind.
   */
  add(input: RecordInput<Kind>): Promise<RecordOf<Kind>> {
    return this.send('add', '', { ...input })
  }

  /**
   * Changes the given fields of a record. Resolves to the record.
   *
   * @param id The id. Beyond 2^53-1, a string or a bigint.
   * @param fields The fields to change. An undefined field is not changed; an additional field that
   * is null is removed.
   * @throws {RemoteError} pet_not_found or resource_not_found, or invalid_field.
   */
  change(id: Int64Input, fields: RecordChanges<Kind>): Promise<RecordOf<Kind>> {
    return this.send('change', id, { ...fields })
  }

  /**
   * Removes a record, and no other: the orders of a pet stay. Resolves to the removed record.
   *
   * @param id The id. Beyond 2^53-1, a string or a bigint.
   * @throws {RemoteError} pet_not_found or resource_not_found.
   */
  remove(id: Int64Input): Promise<RecordOf<Kind>> {
    return this.send('remove', id)
  }
}

type Action = 'add' | 'change' | 'remove'
/** Does not compile if the control API has no resource for a kind. */
type ListId = `list${Capitalize<KindName>}`

/** Writes an int64 as its decimal digits, in which it is exact. */
function toDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
