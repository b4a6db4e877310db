import { wholeList } from '../../control/client/client.js'
import { toPlainLine, truncate } from '../../service/validation/message.js'
import type { FormField } from '../parts/form-values.js'
import type { PageClient } from '../session/client.js'

/** A record as the control API sends it. */
export type JsonRecord = Readonly<Record<string, unknown>>

type Id = number | string

/** A kind of record: its fields, and the control operations that read and change it. */
export interface RecordKind {
  /** Name of its count in the overview. */
  readonly name: 'pets' | 'orders'
  readonly title: string
  /** The noun with its article. */
  readonly article: string
  /** The documented fields, first the id. */
  readonly fields: readonly RecordField[]
  readonly list: (client: PageClient) => Promise<readonly JsonRecord[]>
  /** The records and changes are JSON strings. */
  readonly add: (client: PageClient, json: string) => Promise<JsonRecord>
  readonly change: (client: PageClient, id: Id, json: string) => Promise<JsonRecord>
  readonly remove: (client: PageClient, id: Id) => Promise<JsonRecord>
  /** Returns the name of a record in messages and labels. */
  readonly toName: (row: JsonRecord) => string
}

/** A field of a record, and how the table shows it. */
export interface RecordField extends FormField {
  /** `input`: a control that changes it. Default: it is not in the table. */
  readonly cell?: 'id' | 'text' | 'input' | 'time'
  /** The value of a new record in the form. Default: none. */
  readonly initial?: string | undefined
}

const lines = { type: 'lines', isLong: true, help: 'One per line.' } as const

/** Returns the kind of the pets. */
export function createPetKind(statuses: readonly string[]): RecordKind {
  return {
    name: 'pets',
    title: 'Pets',
    article: 'a pet',
    fields: [
      { name: 'petId', title: 'Id', type: 'text', cell: 'id' },
      { name: 'name', title: 'Name', type: 'text', cell: 'input' },
      { name: 'category', title: 'Category', type: 'text', cell: 'text', initial: 'dog' },
      {
        name: 'quantity',
        title: 'Quantity',
        type: 'integer',
        cell: 'input',
        initial: '1',
        help: 'Can be negative, for tests. By default, updateInventory rejects that.',
      },
      toStatusField(statuses),
      { name: 'tags', title: 'Tags', ...lines },
      { name: 'photoUrls', title: 'Photo URLs', ...lines },
    ],
    list: (client) => client.send('listPets', { query: wholeList }),
    add: (client, json) => client.send('addPet', { json }),
    change: (client, petId, json) => client.send('changePet', { params: { petId }, json }),
    remove: (client, petId) => client.send('removePet', { params: { petId } }),
    toName: ({ petId, name }) => toShortLine(String(name)) || `pet ${petId}`,
  }
}

/** Returns the kind of the orders. */
export function createOrderKind(statuses: readonly string[]): RecordKind {
  return {
    name: 'orders',
    title: 'Orders',
    article: 'an order',
    fields: [
      { name: 'id', title: 'Id', type: 'text', cell: 'id' },
      { name: 'petId', title: 'Pet id', type: 'text', cell: 'id' },
      { name: 'quantity', title: 'Quantity', type: 'integer', cell: 'input', initial: '1' },
      { name: 'shipDate', title: 'Ship date', type: 'text', cell: 'time', help: 'ISO 8601.' },
      toStatusField(statuses),
      { name: 'complete', title: 'Complete', type: 'boolean', cell: 'input', initial: 'false' },
    ],
    list: (client) => client.send('listOrders', { query: wholeList }),
    add: (client, json) => client.send('addOrder', { json }),
    change: (client, id, json) => client.send('changeOrder', { params: { id }, json }),
    remove: (client, id) => client.send('removeOrder', { params: { id } }),
    toName: ({ id }) => `order ${id}`,
  }
}

function toStatusField(options: readonly string[]): RecordField {
  const [initial] = options
  const choice = { type: 'choice', isRequired: true, options, initial } as const
  return { name: 'status', title: 'Status', cell: 'input', ...choice }
}

/** Returns a name in one short line, without characters that change the direction of text. */
function toShortLine(name: string): string {
  return toPlainLine(truncate(name.replace(/\s+/g, ' ').trim(), 40))
}

/** Returns the id of a record: a number, or a string if it is larger than a number can be. */
export function toId({ fields: [id] }: RecordKind, row: JsonRecord): Id {
  return row[id?.name ?? ''] as Id // the schema of the record says so
}

/** Returns the highest numeric id plus one; 1 if no record has a positive id. */
export function findFreeId(ids: readonly Id[]): number {
  const numbers = ids.filter((id) => typeof id === 'number')
  return numbers.reduce((highest, id) => Math.max(highest, id), 0) + 1
}
