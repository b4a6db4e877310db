import { type Int64, type Int64Input, readId } from '../../service/int64.js'
import type { JsonText } from '../../service/json-text.js'
import type { Change } from '../../service/operations/change.js'
import type { InventoryItem, Message, Order, Pet } from '../../service/schemas.js'
import { Messages } from './messages.js'
import {
  type OrderRow,
  type PetRow,
  toCurrentOrderRow,
  toMessage,
  toOrder,
  toOrderRow,
  toPet,
  toPetRow,
} from './rows.js'
import { Table, type TableChanges } from './table.js'
import type { RecordTemplate } from './template.js'

/** The changes of a world to the records of its scenario, in the form of JSON. */
export interface DatabaseChanges {
  readonly pets?: TableChanges<PetRow> | undefined
  readonly orders?: TableChanges<OrderRow> | undefined
  readonly messages?: TableChanges<Message> | undefined
}

/** Number of changes to the records of each kind. */
export interface ChangeCounts {
  readonly pets: number
  readonly orders: number
  readonly messages: number
}

const noChanges: ChangeCounts = { pets: 0, orders: 0, messages: 0 }

/**
 * The data of one world: the records of its scenario, which worlds share, and the changes that this
 * world made to them.
 */
export class Database {
  /** The records of the scenario. */
  template: RecordTemplate
  /** Number of changes since the world started. The same in each copy of the world. */
  changeCounts = noChanges
  readonly #pets: Table<PetRow>
  readonly #orders: Table<OrderRow>
  readonly #messages: Messages

  constructor(template: RecordTemplate) {
    this.template = template
    this.#pets = new Table(template.petRows)
    this.#orders = new Table(template.orderRows)
    this.#messages = new Messages(template.messageRows, template.messageBytes)
  }

  /** Discards all changes and continues with the records of a scenario. Takes constant time. */
  restart(template: RecordTemplate): void {
    this.template = template
    this.changeCounts = noChanges
    this.#pets.restart(template.petRows)
    this.#orders.restart(template.orderRows)
    this.#messages.restart(template.messageRows, template.messageBytes)
  }

  /** Returns all changes, for `load`. */
  save(): DatabaseChanges {
    return {
      pets: this.#pets.save(),
      orders: this.#orders.save(),
      messages: this.#messages.save(),
    }
  }

  /** Repeats the changes of a world of the same scenario. */
  load({ pets, orders, messages }: DatabaseChanges): void {
    if (pets) this.#pets.load(pets)
    if (orders) this.#orders.load({ ...orders, rows: orders.rows.map(toCurrentOrderRow) })
    if (messages) this.#messages.load(messages)
  }

  get petCount(): number {
    return this.#pets.size
  }

  get orderCount(): number {
    return this.#orders.size
  }

  get messageCount(): number {
    return this.#messages.size
  }

  /** Number of pets, orders and messages. */
  get recordCount(): number {
    return this.petCount + this.orderCount + this.messageCount
  }

  /** Estimated size of the changes of this world and of its cached lists, in bytes. */
  get bytes(): number {
    return this.#pets.bytes + this.#orders.bytes + this.#messages.table.bytes
  }

  /** Estimates how much a change would add to `bytes`; 0 for one that removes a record. */
  costOf(change: Change): number {
    switch (change.type) {
      case 'quantity.set': {
        const row = this.#pets.find(change.petId)
        return row ? this.#pets.costOf({ ...row, quantity: change.to }) : 0
      }
      case 'message.queued':
        return this.#messages.costOf(change.message)
      case 'pet.put':
        return this.#pets.costOf(toPetRow(change.pet))
      case 'order.put':
        return this.#orders.costOf(toOrderRow(change.order))
      case 'pet.removed':
      case 'order.removed':
        return 0
    }
  }

  /** Returns the stock of every pet, in insertion order. */
  inventory(): InventoryItem[] {
    const toItem = ({ petId, quantity, status }: PetRow) => ({ petId, quantity, status })
    return this.#pets.rows().map(toItem)
  }

  /** Returns the stock of every pet as a JSON list, in insertion order. The list is cached. */
  listInventory(toJson: (item: InventoryItem) => string): JsonText {
    return this.#pets.toList(toJson)
  }

  /** Returns the orders as a JSON list, in insertion order. The list is cached. */
  listOrders(toJson: (order: OrderRow) => string): JsonText {
    return this.#orders.toList(toJson)
  }

  /** Discards the cached lists of this world. Returns whether there were any. */
  dropLists(): boolean {
    const { bytes } = this
    this.#pets.dropList()
    this.#orders.dropList()
    return this.bytes < bytes
  }

  /** Returns the stock of one pet. */
  findItem(petId: Int64Input): InventoryItem | undefined {
    const row = this.#pets.find(readId('petId', petId))
    return row && { petId: row.petId, quantity: row.quantity, status: row.status }
  }

  pets(): Pet[] {
    return this.#pets.rows().map(toPet)
  }

  findPet(petId: Int64Input): Pet | undefined {
    const row = this.#pets.find(readId('petId', petId))
    return row && toPet(row)
  }

  orders(): Order[] {
    return this.#orders.rows().map(toOrder)
  }

  findOrder(id: Int64Input): Order | undefined {
    const row = this.#orders.find(readId('id', id))
    return row && toOrder(row)
  }

  /** Returns the retained messages, oldest first. */
  messages(): Message[] {
    return this.#messages.rows().map(toMessage)
  }

  /**
   * Makes a change. A pet or an order with a known id is replaced in place, and others are appended;
   * beyond the limits, the oldest messages are evicted (A23).
   */
  apply(change: Change): void {
    switch (change.type) {
      case 'quantity.set':
        this.#setQuantity(change.petId, change.to)
        break
      case 'message.queued':
        this.#messages.add(change.message)
        break
      case 'pet.put':
        this.#pets.put(toPetRow(change.pet))
        break
      case 'pet.removed':
        this.#pets.remove(change.petId)
        break
      case 'order.put':
        this.#orders.put(toOrderRow(change.order))
        break
      case 'order.removed':
        this.#orders.remove(change.id)
        break
    }
    this.#count(change)
  }

  #setQuantity(petId: Int64, quantity: number): void {
    const row = this.#pets.find(petId)
    if (!row) throw new Error(`no pet has the petId ${petId} in this world`)
    this.#pets.put({ ...row, quantity })
  }

  #count({ type }: Change): void {
    const { pets, orders, messages } = this.changeCounts
    if (type === 'message.queued') this.changeCounts = { pets, orders, messages: messages + 1 }
    else if (type.startsWith('order')) this.changeCounts = { pets, orders: orders + 1, messages }
    else this.changeCounts = { pets: pets + 1, orders, messages }
  }
}
