import { type Int64Input, readId } from '../../../service/int64.js'
import type { InventoryItem, Message, Order, Pet } from '../../../service/schemas.js'
import type { Database } from '../../../world/database/database.js'
import type { ControlResult } from '../../operations.js'
import { readPages } from '../pages.js'
import type { RemoteClient } from './client.js'
import type { Remote } from './mapped.js'

/** The data of a remote world. */
export class RemoteDatabase
  implements
    Remote<
      Database,
      | 'pets'
      | 'orders'
      | 'messages'
      | 'findPet'
      | 'findOrder'
      | 'findItem'
      | 'inventory'
      | 'petCount'
      | 'orderCount'
      | 'messageCount'
    >
{
  readonly #client: RemoteClient

  constructor(client: RemoteClient) {
    this.#client = client
  }

  get petCount(): Promise<number> {
    return this.#count('pets')
  }

  get orderCount(): Promise<number> {
    return this.#count('orders')
  }

  get messageCount(): Promise<number> {
    return this.#count('messages')
  }

  async pets(): Promise<Pet[]> {
    const list = await readPages('petId', (page) => this.#client.send('listPets', page))
    return list.map(toPet)
  }

  async findPet(petId: Int64Input): Promise<Pet | undefined> {
    const wanted = readId('petId', petId)
    return (await this.pets()).find((pet) => pet.petId === wanted)
  }

  /** Resolves to the stock of every pet, in insertion order. */
  async inventory(): Promise<InventoryItem[]> {
    return (await this.pets()).map(toItem)
  }

  /** Resolves to the stock of one pet. */
  async findItem(petId: Int64Input): Promise<InventoryItem | undefined> {
    const pet = await this.findPet(petId)
    return pet && toItem(pet)
  }

  async orders(): Promise<Order[]> {
    const list = await readPages('id', (page) => this.#client.send('listOrders', page))
    return list.map(toOrder)
  }

  async findOrder(id: Int64Input): Promise<Order | undefined> {
    const wanted = readId('id', id)
    return (await this.orders()).find((order) => order.id === wanted)
  }

  /** Resolves to the retained messages, oldest first. */
  messages(): Promise<Message[]> {
    return readPages('id', (page) => this.#client.send('listMessages', page))
  }

  async #count(name: 'pets' | 'orders' | 'messages'): Promise<number> {
    return (await this.#client.send('getOverview')).counts[name]
  }
}

/** Converts a pet of the control API, whose id is a number if it is exact, to a pet of a world. */
export function toPet(pet: ControlResult<'addPet'>): Pet {
  return { ...pet, petId: String(pet.petId) }
}

/** Converts an order of the control API to an order of a world. */
export function toOrder(order: ControlResult<'addOrder'>): Order {
  return { ...order, id: String(order.id), petId: String(order.petId) }
}

function toItem({ petId, quantity, status }: Pet): InventoryItem {
  return { petId, quantity, status }
}
