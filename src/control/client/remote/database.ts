import { type Int64Input, readId } from '../../../service/int64.js'
import {
  fromJsonRecord,
  idOf,
  mapKinds,
  recordKinds,
  type WritableKind,
} from '../../../service/records.js'
import type { KindName, RecordInput, RecordOf } from '../../../service/schemas.js'
import type { RecordChanges } from '../../../world/database/collection.js'
import type { ControlOperationId } from '../../operations.js'
import { readPages } from '../pages.js'
import type { ControlInput, RemoteClient } from './client.js'

/** The data of a remote world: a collection for each kind of record, such as `db.pets`. */
export type RemoteDatabase = {
  readonly [Kind in KindName]: Kind extends WritableKind
    ? RemoteCollection<Kind>
    : RemoteTable<Kind>
}

export function createRemoteDatabase(client: RemoteClient): RemoteDatabase {
  return mapKinds<RemoteDatabase>((kind) =>
    'notFound' in recordKinds[kind]
      ? new RemoteCollection(client, kind as WritableKind)
      : new RemoteTable(client, kind),
  )
}

/** The records of one kind in a remote world. */
export class RemoteTable<Kind extends KindName> {
  readonly #client: RemoteClient

  /** @internal */
  constructor(
    client: RemoteClient,
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
    const { id } = recordKinds[this.kind]
    const operation = `list${capitalize(this.kind)}` as ListId
    const read = (page: object): Promise<object[]> => this.#client.send(operation, page)
    const records = await readPages(id, read)
    return records.map((record) => fromJsonRecord(this.kind, record))
  }

  /**
   * Resolves to a record.
   *
   * @param id The id. Beyond 2^53-1, a string or a bigint.
   */
  async find(id: Int64Input): Promise<RecordOf<Kind> | undefined> {
    const wanted = readId(recordKinds[this.kind].id, id)
    return (await this.list()).find((record) => idOf(this.kind, record) === wanted)
  }

  /** Sends an operation that returns a record. */
  protected async send(action: Action, input: ControlInput): Promise<RecordOf<Kind>> {
    const operation = `${action}${capitalize(recordKinds[this.kind].noun)}` as `${Action}Pet`
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
    return this.send('add', { body: { ...input } })
  }

  /**
   * Changes the given fields of a record. Resolves to the record.
   *
   * @param id The id. Beyond 2^53-1, a string or a bigint.
   * @param fields The fields to change. An undefined field is not changed; an additional field that
   * is null is removed.
   * @throws {RemoteError} pet_not_found or resource_not_found, or invalid_field.
   */
  async change(id: Int64Input, fields: RecordChanges<Kind>): Promise<RecordOf<Kind>> {
    return await this.send('change', { params: this.#toParams(id), body: { ...fields } })
  }

  /**
   * Removes a record, and no other: the orders of a pet stay. Resolves to the removed record.
   *
   * @param id The id. Beyond 2^53-1, a string or a bigint.
   * @throws {RemoteError} pet_not_found or resource_not_found.
   */
  async remove(id: Int64Input): Promise<RecordOf<Kind>> {
    return await this.send('remove', { params: this.#toParams(id) })
  }

  #toParams(id: Int64Input): Readonly<Record<string, string>> {
    const { id: name } = recordKinds[this.kind]
    return { [name]: readId(name, id) }
  }
}

type Action = 'add' | 'change' | 'remove'
type ListId = Extract<ControlOperationId, `list${Capitalize<KindName>}`>

/** The control API names its operations after a kind or its noun: `listPets`, `addPet`. */
function capitalize(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
