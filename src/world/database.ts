import { factory, primaryKey } from '@mswjs/data'
import type { Int64 } from '../contract/int64.js'
import type { InventoryItem, Message, Order, Pet, PetStatus } from '../contract/schemas.js'

/** The rows of the database: identifiers as text, what a record holds further as JSON text. */
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

/** The records that a database starts with. */
export interface Records {
  readonly pets: readonly Pet[]
  readonly orders: readonly Order[]
  readonly messages: readonly Message[]
}

/** How many messages a world keeps (A23). */
const keptMessages = 1_000
const removedAtOnce = 100

/**
 * The data of one world on @mswjs/data. Nothing else touches that library: each of its queries
 * scans all records, so a record is found by an index of its live rows, which is right as long as
 * every write passes here.
 */
export class Database {
  #models = createModels()
  #messages = createMessageModel()
  #pets = new Map<Int64, PetRow>()
  #orders = new Map<Int64, OrderRow>()
  #petsRevision = 0
  #ordersRevision = 0
  /** What was loaded last, and how the pets and orders have left it since. */
  #loaded: Records | undefined
  #isReshaped = false
  readonly #formerQuantities = new Map<Int64, number>()

  /** Counts up with each change of a pet: what is made from the pets holds as long as it. */
  get petsRevision(): number {
    return this.#petsRevision
  }

  /** Counts up with each change of an order. */
  get ordersRevision(): number {
    return this.#ordersRevision
  }

  get petCount(): number {
    return this.#pets.size
  }

  get orderCount(): number {
    return this.#orders.size
  }

  /** Pets, orders and messages together. */
  get recordCount(): number {
    return this.petCount + this.orderCount + this.messageCount
  }

  get messageCount(): number {
    return Math.min(this.#messages.count(), keptMessages)
  }

  /** Forgets everything and starts with the given records. */
  load(records: Records): void {
    if (records === this.#loaded && !this.#isReshaped) this.#restoreQuantities()
    else this.#loadStock(records)
    if (this.#messages.count() > 0) this.#messages = createMessageModel()
    for (const message of records.messages) this.addMessage(message)
  }

  #loadStock(records: Records): void {
    this.#models = createModels()
    this.#pets = new Map()
    this.#orders = new Map()
    this.#petsRevision += 1
    this.#ordersRevision += 1
    for (const pet of records.pets) this.putPet(pet)
    for (const order of records.orders) this.putOrder(order)
    this.#loaded = records
    this.#isReshaped = false
    this.#formerQuantities.clear()
  }

  /** Making all rows anew takes a hundred times as long as taking back what changed. */
  #restoreQuantities(): void {
    for (const [petId, quantity] of this.#formerQuantities) this.setQuantity(petId, quantity)
    this.#formerQuantities.clear()
  }

  /** The stock of every pet, in the scenario's order. */
  inventory(): Iterable<InventoryItem> {
    return this.#pets.values()
  }

  /** The stock of one pet. */
  findItem(petId: Int64): InventoryItem | undefined {
    return this.#pets.get(petId)
  }

  pets(): Pet[] {
    return Array.from(this.#pets.values(), toPet)
  }

  findPet(petId: Int64): Pet | undefined {
    const row = this.#pets.get(petId)
    return row && toPet(row)
  }

  orders(): Order[] {
    return Array.from(this.#orders.values(), toOrder)
  }

  findOrder(id: Int64): Order | undefined {
    const row = this.#orders.get(id)
    return row && toOrder(row)
  }

  /** The messages that were queued, oldest first. */
  messages(): Message[] {
    const newest = this.#messages.getAll().slice(-keptMessages)
    return newest.map(({ id, message, createdAt }) => ({
      id,
      message,
      status: 'queued',
      createdAt,
    }))
  }

  setQuantity(petId: Int64, quantity: number): void {
    const row = this.#pets.get(petId)
    if (!row) throw new Error(`no pet ${petId} to set the quantity of`)
    if (!this.#formerQuantities.has(petId)) this.#formerQuantities.set(petId, row.quantity)
    row.quantity = quantity
    this.#petsRevision += 1
  }

  /** Adds a pet at the end, or replaces the one of the same id where it stands. */
  putPet(pet: Pet): void {
    const { petId, quantity, status, ...details } = pet
    this.#isReshaped = true
    this.#petsRevision += 1
    const row = { petId, quantity, status, details: JSON.stringify(details) }
    const found = this.#pets.get(petId)
    if (found) Object.assign(found, row)
    // The row that comes back is the live one, of the shape that the model was given.
    else this.#pets.set(petId, this.#models.pet.create(row) as unknown as PetRow)
  }

  removePet(petId: Int64): void {
    this.#isReshaped = true
    this.#petsRevision += 1
    this.#pets.delete(petId)
    this.#models.pet.delete({ where: { petId: { equals: petId } } })
  }

  /** Adds an order at the end, or replaces the one of the same id where it stands. */
  putOrder(order: Order): void {
    const { id, ...details } = order
    this.#isReshaped = true
    this.#ordersRevision += 1
    const row = { id, details: JSON.stringify(details) }
    const found = this.#orders.get(id)
    if (found) Object.assign(found, row)
    else this.#orders.set(id, this.#models.order.create(row) as unknown as OrderRow) // as above
  }

  removeOrder(id: Int64): void {
    this.#isReshaped = true
    this.#ordersRevision += 1
    this.#orders.delete(id)
    this.#models.order.delete({ where: { id: { equals: id } } })
  }

  /** Adds a message; past 1,000 the oldest leave (A23), many at a time as each removal scans all. */
  addMessage(message: Message): void {
    this.#messages.create(message)
    if (this.#messages.count() < keptMessages + removedAtOnce) return
    const oldest = this.#messages.getAll().slice(0, removedAtOnce)
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

/** The messages have a database of their own, so that forgetting them leaves the stock alone. */
function createMessageModel() {
  const message = { id: primaryKey(String), message: String, status: String, createdAt: String }
  return withoutBroadcastChannel(() => factory({ message }).message)
}

/**
 * In a browser the library opens a BroadcastChannel for each database and replays every write in
 * the other tabs of the page, where it would change their worlds. It looks for the class when a
 * database is made, so it is out of sight for that moment.
 */
function withoutBroadcastChannel<T>(make: () => T): T {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel')
  if (!original) return make()
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: undefined, configurable: true })
  try {
    return make()
  } finally {
    Object.defineProperty(globalThis, 'BroadcastChannel', original)
  }
}

function toPet(row: PetRow): Pet {
  const { petId, quantity, status } = row
  const { name, ...further } = JSON.parse(row.details)
  return { petId, name, quantity, status, ...further }
}

function toOrder(row: OrderRow): Order {
  return { id: row.id, ...JSON.parse(row.details) }
}
