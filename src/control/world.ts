import type { Report } from '../report/report.js'
import { listEntries } from '../service/bounds.js'
import { Problem } from '../service/errors.js'
import type { Int64, Int64Input } from '../service/int64.js'
import { createPetNotFoundProblem } from '../service/operations/update-inventory.js'
import {
  type Order,
  type OrderInput,
  orderSchema,
  type Pet,
  type PetInput,
  petSchema,
} from '../service/schemas.js'
import { readValue } from '../service/validation/validate.js'
import { Requests } from '../world/journal/requests.js'
import { findNextEvent, type WorldEvent } from '../world/next-event.js'
import type { Account } from '../world/quota/account.js'
import type { ScenarioLibrary } from '../world/scenario/library.js'
import { type Scenario, scenarioNameSchema } from '../world/scenario/schema.js'
import { toSnapshot } from '../world/scenario/snapshot.js'
import type { ScenarioSource } from '../world/scenario/source.js'
import type { WorldSeed } from '../world/seed.js'
import { type ListedKeys, type WorldName, type WorldOptions, WorldState } from '../world/world.js'
import { EventFeed } from './event-feed.js'
import { mergeFields, readFields } from './fields.js'

/** The world that `sandbox.world` returns: its state, with methods to read and change it. */
export class World extends WorldState {
  /** The requests that this world received. */
  readonly requests: Requests
  /** The event streams of this world. */
  readonly events = new EventFeed(this.journal)

  constructor(
    name: WorldName,
    seed: WorldSeed,
    options: WorldOptions,
    readonly library: ScenarioLibrary,
  ) {
    super(name, seed, options)
    this.requests = new Requests(this.journal, () => [this.faults.list(), this.seed.faults])
  }

  override start(seed: WorldSeed, ownKeys?: ListedKeys): void {
    this.seedBytes = 0
    super.start(seed, ownKeys)
    const { generation } = this
    this.whenStored(() => this.events.restart(generation))
  }

  /**
   * Starts from a scenario that a client has chosen. It counts towards the size of the world, unless
   * the library retains it.
   *
   * @throws {Problem} sandbox_capacity, if there is no room for it. The world stays unchanged.
   */
  override replace(seed: WorldSeed): void {
    const bytes = this.library.isShared(seed) ? 0 : seed.bytes
    this.checkRoom(bytes - this.seedBytes)
    super.replace(seed)
    this.seedBytes = bytes
    this.measure()
  }

  /** Called when the sandbox discards the world. Ends its event streams. */
  override close(): void {
    super.close()
    this.events.close()
  }

  /**
   * Returns the state, without the journal, as a scenario. A world that starts from it responds
   * identically.
   *
   * @param name Name of the scenario, in kebab-case.
   * @throws {Problem} invalid_field if the name is not in kebab-case.
   */
  snapshot(name = 'snapshot'): Scenario {
    return toSnapshot(this, readValue(scenarioNameSchema, name, 'the name'))
  }

  /**
   * Restarts this world from a scenario and clears its journal. The clock restarts too: one that was
   * frozen runs again, unless the scenario freezes it.
   *
   * @throws {ScenarioError} If the scenario is invalid; the world stays unchanged.
   */
  async use(scenario: ScenarioSource): Promise<void> {
    this.start(await this.library.prepare(scenario, this.clock.realNow()))
  }

  /**
   * Returns a copy of an account. Changes to the copy do not affect the world.
   *
   * @param id A plan, or a key that the scenario lists under `apiKeys`.
   * @throws {RangeError} If there is no such plan or key.
   */
  peekAccount(id: string): Account {
    return this.quota.copy(id)
  }

  /**
   * Assesses the client that sent the requests of an account: whether it keeps the rules of the
   * service, which documented responses it has met, and what its requests would have met under each
   * plan. Whether the key was also used in the other environment is only in `GET /sandbox/report`.
   *
   * @param account A plan, or a key that the scenario lists under `apiKeys`.
   * @throws {RangeError} As a rejection, if there is no such plan or key.
   */
  async report(account = 'free'): Promise<Report> {
    const { toAccountReport } = await import('./world-report.js')
    return toAccountReport(this, account)
  }

  /**
   * Returns the next time-based event that changes the responses to an account; undefined if there
   * is none.
   *
   * @param account A plan, or a key that the scenario lists under `apiKeys`.
   * @throws {RangeError} If there is no such plan or key.
   */
  nextEvent(account = 'free'): WorldEvent | undefined {
    return findNextEvent(this, account)
  }

  /**
   * Advances the clock to the next event of an account. Returns the event; if there is none,
   * returns undefined and does not change the clock.
   *
   * @param account A plan, or a key that the scenario lists under `apiKeys`.
   * @throws {RangeError} If there is no such plan or key.
   */
  advanceToNextEvent(account = 'free'): WorldEvent | undefined {
    const event = this.nextEvent(account)
    if (event) this.clock.set(event.atMs)
    return event
  }

  /**
   * Adds a pet.
   *
   * @param input The fields of the pet. For fields that `PetInput` does not have, pass a value of
   * type `PetInput & Record<string, unknown>`.
   * @throws {Problem} invalid_field, missing_field, resource_conflict if the id already exists, or
   * sandbox_capacity if the world has 20,000 pets.
   */
  addPet(input: PetInput): Pet {
    const pet = readPet(input)
    if (this.db.findPet(pet.petId)) throw createConflictProblem(`a pet with the petId ${pet.petId}`)
    if (this.db.petCount >= listEntries) throw createCapacityProblem('pets')
    this.apply({ type: 'pet.put', pet })
    return this.#findPet(pet.petId)
  }

  /**
   * Changes the given fields of a pet.
   *
   * @param petId The id of the pet. Beyond 2^53-1, a string or a bigint.
   * @param fields The fields to change. An undefined field is not changed; an additional field that
   * is null is removed.
   * @throws {Problem} pet_not_found, or invalid_field.
   */
  changePet(petId: Int64Input, fields: Changes<PetInput>): Pet {
    const change = readFields('pets', fields, 'the pet')
    const current = this.#findPet(petId)
    const pet = readPet(mergeFields(current, change, petSchema))
    if (pet.petId !== current.petId) throw createIdProblem('petId', current.petId, pet.petId)
    this.apply({ type: 'pet.put', pet })
    return this.#findPet(pet.petId)
  }

  /**
   * Removes a pet. Its orders are not removed.
   *
   * @param petId The id of the pet. Beyond 2^53-1, a string or a bigint.
   * @returns The removed pet.
   * @throws {Problem} pet_not_found
   */
  removePet(petId: Int64Input): Pet {
    const pet = this.#findPet(petId)
    this.apply({ type: 'pet.removed', petId: pet.petId })
    return pet
  }

  /**
   * Adds a store order.
   *
   * @param input The fields of the order. For fields that `OrderInput` does not have, pass a value
   * of type `OrderInput & Record<string, unknown>`.
   * @throws {Problem} invalid_field, missing_field, resource_conflict if the id already exists, or
   * sandbox_capacity if the world has 20,000 orders.
   */
  addOrder(input: OrderInput): Order {
    const order = readOrder(input)
    if (this.db.findOrder(order.id)) throw createConflictProblem(`an order with the id ${order.id}`)
    if (this.db.orderCount >= listEntries) throw createCapacityProblem('orders')
    this.apply({ type: 'order.put', order })
    return this.#findOrder(order.id)
  }

  /**
   * Changes the given fields of a store order.
   *
   * @param id The id of the order. Beyond 2^53-1, a string or a bigint.
   * @param fields The fields to change. An undefined field is not changed; an additional field that
   * is null is removed.
   * @throws {Problem} resource_not_found, or invalid_field.
   */
  changeOrder(id: Int64Input, fields: Changes<OrderInput>): Order {
    const change = readFields('orders', fields, 'the order')
    const current = this.#findOrder(id)
    const order = readOrder(mergeFields(current, change, orderSchema))
    if (order.id !== current.id) throw createIdProblem('id', current.id, order.id)
    this.apply({ type: 'order.put', order })
    return this.#findOrder(order.id)
  }

  /**
   * Removes a store order.
   *
   * @param id The id of the order. Beyond 2^53-1, a string or a bigint.
   * @returns The removed order.
   * @throws {Problem} resource_not_found
   */
  removeOrder(id: Int64Input): Order {
    const order = this.#findOrder(id)
    this.apply({ type: 'order.removed', id: order.id })
    return order
  }

  #findPet(petId: Int64Input): Pet {
    const pet = this.db.findPet(petId)
    if (pet) return pet
    throw createPetNotFoundProblem(String(petId))
  }

  #findOrder(id: Int64Input): Order {
    const order = this.db.findOrder(id)
    if (order) return order
    throw new Problem('resource_not_found', `no order has the id ${id} in this world`)
  }
}

function readPet(fields: unknown): Pet {
  return readValue(petSchema, readFields('pets', fields, 'the pet'), 'the pet')
}

function readOrder(fields: unknown): Order {
  return readValue(orderSchema, readFields('orders', fields, 'the order'), 'the order')
}

/** The fields of a record, all optional. */
type Changes<Input> = { readonly [Name in keyof Input]?: Input[Name] | undefined }

function createCapacityProblem(list: 'pets' | 'orders'): Problem {
  const message = `a world of this sandbox has at most ${listEntries} ${list}; remove some`
  return new Problem('sandbox_capacity', message)
}

/** Creates the problem for an attempt to change an id. */
function createIdProblem(field: string, wanted: Int64, found: Int64): Problem {
  return new Problem(
    'invalid_field',
    `${field} cannot change: it must be ${wanted}, found ${found}`,
  )
}

function createConflictProblem(record: string): Problem {
  const message = `${record} already exists in this world; change it instead`
  return new Problem('resource_conflict', message)
}
