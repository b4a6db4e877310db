import type { PetStoreClient } from './client.js'
import { NotFoundError } from './errors.js'
import type { InventoryItem } from './resources.js'

/**
 * The inventory of a page. A change appears immediately, before the service has confirmed it, and
 * disappears if the service rejects it.
 */
export class Inventory {
  /** The stock as the service last returned it. */
  readonly #confirmed = new Map<bigint, InventoryItem>()
  /** The quantities that the service has not confirmed yet, oldest first. */
  readonly #pending = new Map<bigint, number[]>()
  /** The last update of each pet. The updates of a pet are sent one after the other. */
  readonly #last = new Map<bigint, Promise<unknown>>()

  /** @param onChange Called after each change of {@link items}. */
  constructor(
    readonly client: PetStoreClient,
    readonly onChange: () => void,
  ) {}

  /** The stock with the changes that are not confirmed yet. */
  get items(): InventoryItem[] {
    return [...this.#confirmed.values()].map((item) => {
      const quantity = this.#pending.get(item.petId)?.at(-1)
      return quantity === undefined ? item : { ...item, quantity }
    })
  }

  /** Loads the stock of all pets. */
  async load(): Promise<void> {
    const items = await this.client.listInventory()
    this.#confirmed.clear()
    for (const item of items) this.#confirmed.set(item.petId, item)
    this.onChange()
  }

  /** Sets the stock of one pet. Rejects with the error of the service after the rollback. */
  async setQuantity(petId: bigint, quantity: number): Promise<void> {
    const pending = this.#pending.get(petId) ?? []
    this.#pending.set(petId, pending)
    pending.push(quantity)
    this.onChange()
    const update = this.#afterLast(petId, () => this.client.updateInventory(petId, quantity))
    try {
      this.#confirmed.set(petId, await update)
    } catch (error) {
      if (error instanceof NotFoundError) this.#confirmed.delete(petId)
      throw error
    } finally {
      pending.shift()
      this.onChange()
    }
  }

  /** Runs an update after the last one of the pet has ended, with or without success. */
  #afterLast<T>(petId: bigint, run: () => Promise<T>): Promise<T> {
    const update = (this.#last.get(petId) ?? Promise.resolve()).then(run, run)
    this.#last.set(petId, update)
    return update
  }
}
