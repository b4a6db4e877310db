import { Problem } from '../contract/errors.js'
import type { Int64 } from '../contract/int64.js'
import {
  type Order,
  type OrderInput,
  orderSchema,
  type Pet,
  type PetInput,
  petSchema,
} from '../contract/schemas.js'
import type { ScenarioLibrary, ScenarioSource } from '../scenario/library.js'
import { maximumEntries, type Scenario, scenarioNameSchema } from '../scenario/schema.js'
import { toSnapshot } from '../scenario/snapshot.js'
import { readValue } from '../validation/validate.js'
import { Requests } from '../world/journal/requests.js'
import { findNextEvent, type WorldEvent } from '../world/next-event.js'
import type { Account } from '../world/quota/account.js'
import type { WorldSeed } from '../world/seed.js'
import { type WorldName, type WorldOptions, WorldState } from '../world/world.js'
import { readFields } from './fields.js'

/** A world that can be put into any state and written down: what `sandbox.world` is. */
export class World extends WorldState {
  /** The requests that this world received. */
  readonly requests = new Requests(this.journal)

  constructor(
    name: WorldName,
    seed: WorldSeed,
    options: WorldOptions,
    readonly library: ScenarioLibrary,
  ) {
    super(name, seed, options)
  }

  /**
   * Writes the whole state down as a scenario; a world that starts from it answers the same.
   *
   * @param name Name of the scenario, in kebab-case.
   * @throws {Problem} invalid_field when the name is none.
   */
  snapshot(name = 'snapshot'): Scenario {
    return toSnapshot(this, readValue(scenarioNameSchema, name, 'the name'))
  }

  /**
   * Starts this world anew from another scenario.
   *
   * @throws {ScenarioError} When it does not fit; the world stays as it was.
   */
  async use(scenario: ScenarioSource): Promise<void> {
    this.start(await this.library.prepare(scenario, this.clock.realNow()))
  }

  /**
   * A copy of an account as it stands, for readers: looking leaves no trace in the world.
   *
   * @throws {RangeError} When there is no such plan and no such key.
   */
  peekAccount(id: string): Account {
    return this.quota.copy(id)
  }

  /** The next moment at which time alone changes an answer of an account. */
  nextEvent(account = 'free'): WorldEvent | undefined {
    return findNextEvent(this, account)
  }

  /** Moves the clock to that moment. Returns what happens then; undefined when nothing is ahead. */
  advanceToNextEvent(account = 'free'): WorldEvent | undefined {
    const event = this.nextEvent(account)
    if (event) this.clock.set(event.atMs)
    return event
  }

  /**
   * Adds a pet.
   *
   * @param input Its fields. For fields that `PetInput` does not have, pass a value of type
   * `PetInput & Record<string, unknown>`.
   * @throws {Problem} invalid_field, missing_field, resource_conflict when the id is taken, or
   * sandbox_capacity when the world is full.
   */
  addPet(input: PetInput): Pet {
    const pet = readValue(petSchema, readFields('pets', input, 'the pet'), 'the pet')
    if (this.db.findPet(pet.petId)) throw taken(`the petId ${pet.petId}`)
    if (this.db.petCount >= maximumEntries) throw full('pets')
    this.apply({ type: 'pet.put', pet })
    return pet
  }

  /**
   * Changes the given fields of a pet.
   *
   * @param petId The id of the pet as a string of decimal digits.
   * @param fields The fields to change. An undefined field is not changed.
   * @throws {Problem} pet_not_found, or invalid_field.
   */
  changePet(petId: Int64, fields: Changes<PetInput>): Pet {
    const found = this.db.findPet(petId)
    if (!found) throw new Problem('pet_not_found', `no pet has the petId ${petId} in this world`)
    const changed = { ...found, ...readFields('pets', fields, 'the pet') }
    const pet = readValue(petSchema, changed, 'the pet')
    if (pet.petId !== petId) throw otherId('petId', petId, pet.petId)
    this.apply({ type: 'pet.put', pet })
    return pet
  }

  /** @throws {Problem} pet_not_found */
  removePet(petId: Int64): Pet {
    const pet = this.db.findPet(petId)
    if (!pet) throw new Problem('pet_not_found', `no pet has the petId ${petId} in this world`)
    this.apply({ type: 'pet.removed', petId })
    return pet
  }

  /**
   * Adds a store order.
   *
   * @param input Its fields. For fields that `OrderInput` does not have, pass a value of type
   * `OrderInput & Record<string, unknown>`.
   * @throws {Problem} invalid_field, missing_field, resource_conflict when the id is taken, or
   * sandbox_capacity when the world is full.
   */
  addOrder(input: OrderInput): Order {
    const order = readValue(orderSchema, readFields('orders', input, 'the order'), 'the order')
    if (this.db.findOrder(order.id)) throw taken(`the order id ${order.id}`)
    if (this.db.orderCount >= maximumEntries) throw full('orders')
    this.apply({ type: 'order.put', order })
    return order
  }

  /**
   * Changes the given fields of a store order.
   *
   * @param id The id of the order as a string of decimal digits.
   * @param fields The fields to change. An undefined field is not changed.
   * @throws {Problem} resource_not_found, or invalid_field.
   */
  changeOrder(id: Int64, fields: Changes<OrderInput>): Order {
    const changed = { ...this.#findOrder(id), ...readFields('orders', fields, 'the order') }
    const order = readValue(orderSchema, changed, 'the order')
    if (order.id !== id) throw otherId('id', id, order.id)
    this.apply({ type: 'order.put', order })
    return order
  }

  /** @throws {Problem} resource_not_found */
  removeOrder(id: Int64): Order {
    const order = this.#findOrder(id)
    this.apply({ type: 'order.removed', id })
    return order
  }

  #findOrder(id: Int64): Order {
    const order = this.db.findOrder(id)
    if (order) return order
    throw new Problem('resource_not_found', `no order has the id ${id} in this world`)
  }
}

/** Fields to change, each of them optional. */
type Changes<Input> = { readonly [Name in keyof Input]?: Input[Name] | undefined }

function full(things: string): Problem {
  const message = `a world of this sandbox has at most ${maximumEntries} ${things}; remove some`
  return new Problem('sandbox_capacity', message)
}

/** A record keeps its id: with another one it is another record. */
function otherId(field: string, wanted: Int64, found: Int64): Problem {
  return new Problem('invalid_field', `${field} must be ${wanted}, found ${found}`)
}

function taken(what: string): Problem {
  return new Problem('resource_conflict', `${what} is taken in this world; change it instead`)
}
