import { factory, primaryKey } from '@mswjs/data'
import type { Int64 } from '../contract/int64.js'
import { type Captured, LazyList } from '../contract/lazy-list.js'
import type { InventoryItem, Message, Order, Pet, PetStatus } from '../contract/schemas.js'

/** Row of a pet. Fields that no query needs are stored as a JSON string. */
interface PetRow {
  petId: Int64
  quantity: number
  status: PetStatus
  details: string
}

interface OrderRow {
  id: Int64
  details: string
}

/** Initial records of a database. */
export interface Records {
  readonly pets: readonly Pet[]
  readonly orders: readonly Order[]
  readonly messages: readonly Message[]
}

/** Maximum number of messages in a world (A23). */
const maximumMessages = 1_000
/** Each removal scans all messages, so several are removed at a time. */
const removalBatch = 100

/**
 * The data of one world, stored in @mswjs/data. A query of that library scans all records, so this
 * class indexes the live rows by id. No other code uses the library.
 */
export class Database {
  #models = createModels()
  #messages = createMessageModel()
  #pets = new Map<Int64, PetRow>()
  #orders = new Map<Int64, OrderRow>()
  /** Incremented on each change of a pet; used as a cache key. */
  petsRevision = 0
  /** Incremented on each change of an order; used as a cache key. */
  ordersRevision = 0
  /** Records of the last `load`. */
  #loaded: Records | undefined
  /** Whether pets or orders changed since `load`, other than by `setQuantity`. */
  #isReshaped = false
  readonly #initialQuantities = new Map<Int64, number>()

  get petCount(): number {
    return this.#pets.size
  }

  get orderCount(): number {
    return this.#orders.size
  }

  /** Number of pets, orders and messages. */
  get recordCount(): number {
    return this.petCount + this.orderCount + this.messageCount
  }

  get messageCount(): number {
    return Math.min(this.#messages.count(), maximumMessages)
  }

  /** Replaces all records. */
  load(records: Records): void {
    if (records === this.#loaded && !this.#isReshaped) this.#restoreQuantities()
    else this.#loadRecords(records)
    if (this.#messages.count() > 0) this.#messages = createMessageModel()
    for (const message of records.messages) this.addMessage(message)
  }

  #loadRecords(records: Records): void {
    this.#models = createModels()
    this.#pets = new Map()
    this.#orders = new Map()
    this.petsRevision += 1
    this.ordersRevision += 1
    for (const pet of records.pets) this.putPet(pet)
    for (const order of records.orders) this.putOrder(order)
    this.#loaded = records
    this.#isReshaped = false
    this.#initialQuantities.clear()
  }

  /** Reverts quantities only. This is about 100 times as fast as creating all rows. */
  #restoreQuantities(): void {
    for (const [petId, quantity] of this.#initialQuantities) this.setQuantity(petId, quantity)
    this.#initialQuantities.clear()
  }

  /** Returns the stock of every pet, in insertion order. */
  inventory(): Iterable<InventoryItem> {
    return this.#pets.values()
  }

  /** Returns the stock of one pet. */
  findItem(petId: Int64): InventoryItem | undefined {
    return this.#pets.get(petId)
  }

  pets(): Pet[] {
    return Array.from(this.#pets.values(), toPet)
  }

  /** Captures all pets, in insertion order. Each is converted when it is read. */
  iteratePets(): Captured<Pet> {
    const rows = Array.from(this.#pets.values(), ({ petId, quantity, status, details }) => ({
      petId,
      quantity,
      status,
      details,
    }))
    return LazyList.from(rows, toPet)
  }

  findPet(petId: Int64): Pet | undefined {
    const row = this.#pets.get(petId)
    return row && toPet(row)
  }

  orders(): Order[] {
    return Array.from(this.#orders.values(), toOrder)
  }

  /** Captures all orders, in insertion order. Each is converted when it is read. */
  iterateOrders(): Captured<Order> {
    const rows = Array.from(this.#orders.values(), ({ id, details }) => ({ id, details }))
    return LazyList.from(rows, toOrder)
  }

  findOrder(id: Int64): Order | undefined {
    const row = this.#orders.get(id)
    return row && toOrder(row)
  }

  /** Returns the retained messages, oldest first. */
  messages(): Message[] {
    const newest = this.#messages.getAll().slice(-maximumMessages)
    return newest.map(({ id, message, createdAt }) => ({
      id,
      message,
      status: 'queued',
      createdAt,
    }))
  }

  /** Captures the retained messages, oldest first. */
  iterateMessages(): Captured<Message> {
    return this.messages()
  }

  setQuantity(petId: Int64, quantity: number): void {
    const row = this.#pets.get(petId)
    if (!row) throw new Error(`no pet has the petId ${petId} in this world`)
    if (!this.#initialQuantities.has(petId)) this.#initialQuantities.set(petId, row.quantity)
    row.quantity = quantity
    this.petsRevision += 1
  }

  /** Appends a pet, or replaces the pet with the same id in place. */
  putPet(pet: Pet): void {
    const { petId, quantity, status, ...details } = pet
    this.#isReshaped = true
    this.petsRevision += 1
    const row = { petId, quantity, status, details: JSON.stringify(details) }
    const found = this.#pets.get(petId)
    if (found) Object.assign(found, row)
    // The library returns the live row, in the shape of the model.
    else this.#pets.set(petId, this.#models.pet.create(row) as unknown as PetRow)
  }

  removePet(petId: Int64): void {
    this.#isReshaped = true
    this.petsRevision += 1
    this.#pets.delete(petId)
    this.#models.pet.delete({ where: { petId: { equals: petId } } })
  }

  /** Appends an order, or replaces the order with the same id in place. */
  putOrder(order: Order): void {
    const { id, ...details } = order
    this.#isReshaped = true
    this.ordersRevision += 1
    const row = { id, details: JSON.stringify(details) }
    const found = this.#orders.get(id)
    if (found) Object.assign(found, row)
    else this.#orders.set(id, this.#models.order.create(row) as unknown as OrderRow) // as above
  }

  removeOrder(id: Int64): void {
    this.#isReshaped = true
    this.ordersRevision += 1
    this.#orders.delete(id)
    this.#models.order.delete({ where: { id: { equals: id } } })
  }

  /** Appends a message and evicts the oldest ones beyond the maximum (A23). */
  addMessage(message: Message): void {
    this.#messages.create(message)
    if (this.#messages.count() < maximumMessages + removalBatch) return
    const oldest = this.#messages.getAll().slice(0, removalBatch)
    this.#messages.deleteMany({ where: { id: { in: oldest.map(({ id }) => id) } } })
  }
}

function createModels() {
  return withoutBroadcastChannel(() =>
    factory({
      pet: { petId: primaryKey(String), quantity: Number, status: String, details: String },
      order: { id: primaryKey(String), details: String },
    }),
  )
}

/** Messages have a separate database, so that they can be cleared without the pets and orders. */
function createMessageModel() {
  const message = { id: primaryKey(String), message: String, status: String, createdAt: String }
  return withoutBroadcastChannel(() => factory({ message }).message)
}

/**
 * Hides BroadcastChannel while a database is created. In a browser the library opens a channel for
 * each database and replays every write in other tabs, where it would change their worlds.
 */
function withoutBroadcastChannel<T>(create: () => T): T {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel')
  if (!original) return create()
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: undefined, configurable: true })
  try {
    return create()
  } finally {
    Object.defineProperty(globalThis, 'BroadcastChannel', original)
  }
}

function toPet(row: PetRow): Pet {
  const { petId, quantity, status } = row
  const { name, ...rest } = JSON.parse(row.details)
  return { petId, name, quantity, status, ...rest }
}

function toOrder(row: OrderRow): Order {
  return { id: row.id, ...JSON.parse(row.details) }
}
