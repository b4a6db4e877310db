import { wholeList } from '../../control/client/client.js'
import type { Order, Pet } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import type { Field, JsonRecord } from './fields.js'

/** A kind of record, with the control operations that read and change it. */
export interface RecordKind<T extends JsonRecord> {
  /** Name of its count in the overview. */
  readonly name: 'pets' | 'orders'
  readonly title: string
  readonly noun: string
  /** The noun with its article. */
  readonly article: string
  readonly idField: string
  readonly statuses: readonly string[]
  readonly fields: readonly Field[]
  readonly list: (client: PageClient, signal: AbortSignal) => Promise<readonly T[]>
  /** @param json The record as a JSON string. */
  readonly add: (client: PageClient, json: string) => Promise<T>
  /** @param json The changed fields as a JSON string. */
  readonly change: (client: PageClient, row: T, json: string) => Promise<T>
  readonly remove: (client: PageClient, row: T) => Promise<T>
  readonly toKey: (row: T) => string
  /** Returns the name of a record in messages and labels. */
  readonly toName: (row: T) => string
  /** Returns the string in which a search is matched. */
  readonly toText: (row: T) => string
  /** Returns an id that no row has. */
  readonly findFreeId: (rows: readonly T[]) => number
}

/** Returns the kind of the pets. */
export function createPetKind(statuses: readonly string[]): RecordKind<Pet> {
  return {
    name: 'pets',
    title: 'Pets',
    noun: 'pet',
    article: 'a pet',
    idField: 'petId',
    statuses,
    fields: [
      { name: 'petId', label: 'Id', type: 'id' },
      { name: 'name', label: 'Name', type: 'text' },
      { name: 'category', label: 'Category', type: 'text' },
      { name: 'quantity', label: 'Quantity', type: 'integer', negativeHint },
      { name: 'status', label: 'Status', type: 'choice', choices: statuses },
      { name: 'tags', label: 'Tags', type: 'list', hint: oneLine },
      { name: 'photoUrls', label: 'Photo URLs', type: 'list', hint: oneLine },
    ],
    list: (client, signal) => client.send('listPets', { query: wholeList, signal }),
    add: (client, json) => client.send('addPet', { json }),
    change: (client, { petId }, json) => client.send('changePet', { params: { petId }, json }),
    remove: (client, { petId }) => client.send('removePet', { params: { petId } }),
    toKey: ({ petId }) => String(petId),
    toName: ({ petId, name }) => shorten(name) || `pet ${petId}`,
    toText: ({ petId, name, category, status, tags }) =>
      `${petId} ${name} ${category} ${status} ${tags.join(' ')}`,
    findFreeId: (pets) => findFreeId(pets.map(({ petId }) => petId)),
  }
}

/** Returns the kind of the orders. */
export function createOrderKind(statuses: readonly string[]): RecordKind<Order> {
  return {
    name: 'orders',
    title: 'Orders',
    noun: 'order',
    article: 'an order',
    idField: 'id',
    statuses,
    fields: [
      { name: 'id', label: 'Id', type: 'id' },
      { name: 'petId', label: 'Pet id', type: 'id' },
      { name: 'quantity', label: 'Quantity', type: 'integer' },
      { name: 'shipDate', label: 'Ship date', type: 'timestamp', hint: 'ISO 8601' },
      { name: 'status', label: 'Status', type: 'choice', choices: statuses },
      { name: 'complete', label: 'Complete', type: 'boolean' },
    ],
    list: (client, signal) => client.send('listOrders', { query: wholeList, signal }),
    add: (client, json) => client.send('addOrder', { json }),
    change: (client, { id }, json) => client.send('changeOrder', { params: { id }, json }),
    remove: (client, { id }) => client.send('removeOrder', { params: { id } }),
    toKey: ({ id }) => String(id),
    toName: ({ id }) => `order ${id}`,
    toText: ({ id, petId, status }) => `${id} ${petId} ${status}`,
    findFreeId: (orders) => findFreeId(orders.map(({ id }) => id)),
  }
}

const negativeHint = 'Accepted for tests: updateInventory rejects it by default.'

const oneLine = 'one per line, or a JSON array'

const maximumName = 40

/** Returns a name in one short line, without the characters that change the direction of text. */
export function shorten(name: string): string {
  const plain = name
    .slice(0, 1_000)
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(plain)
  return characters.length > maximumName ? `${characters.slice(0, maximumName).join('')}…` : plain
}

/** Returns the highest numeric id plus one; 1 if no record has a positive id. */
export function findFreeId(ids: Iterable<unknown>): number {
  let highest = 0
  for (const id of ids) if (typeof id === 'number' && id > highest) highest = id
  return highest + 1
}
