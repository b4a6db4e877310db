import type { Environment } from '../service/addresses.js'
import type { PlanId } from '../service/plans.js'
import type { WorldState } from '../world/world.js'

type KeyRecord = Readonly<Record<string, PlanId>>

/** The worlds of one environment that list the same keys. */
interface Listing {
  readonly environment: Environment
  readonly apiKeys: KeyRecord
  readonly worlds: Set<WorldState>
}

/** The listings of a world without listed keys. Most worlds have none. */
const noListings: readonly Listing[] = []

/**
 * The keys that worlds list under `apiKeys`. Worlds of the same scenario share one listing, so that
 * the cost does not grow with the number of worlds.
 */
export class ListedKeys {
  /** The listings of each world of the sandbox. */
  readonly #listings = new Map<WorldState, readonly Listing[]>()
  readonly #byRecord: Readonly<Record<Environment, Map<KeyRecord, Listing>>> = {
    production: new Map(),
    staging: new Map(),
  }
  readonly #byKey: Readonly<Record<Environment, Map<string, Set<Listing>>>> = {
    production: new Map(),
    staging: new Map(),
  }

  add(world: WorldState): void {
    this.#listings.set(world, noListings)
    this.update(world)
  }

  /** Reads the keys of a world again. Does nothing if the world was not added. */
  update(world: WorldState): void {
    const previous = this.#listings.get(world)
    if (!previous) return
    const records = [...new Set([world.seed.apiKeys, world.ownKeys])]
    const filled = records.filter((record) => Object.keys(record).length > 0)
    if (previous === noListings && filled.length === 0) return
    this.#listings.set(
      world,
      filled.map((record) => this.#join(world, record)),
    )
    for (const listing of previous)
      if (!filled.includes(listing.apiKeys)) this.#leave(world, listing)
  }

  remove(world: WorldState): void {
    for (const listing of this.#listings.get(world) ?? []) this.#leave(world, listing)
    this.#listings.delete(world)
  }

  /**
   * Returns one of the keys that the world does not list, but another world of its environment does.
   * Returns undefined if there is none.
   */
  findClaimed(world: WorldState, apiKeys: readonly string[]): string | undefined {
    const index = this.#byKey[world.name.environment]
    const own = this.#listings.get(world) ?? []
    return apiKeys.find((apiKey) => {
      const listings = index.get(apiKey)
      return listings !== undefined && !own.some((listing) => listings.has(listing))
    })
  }

  #join(world: WorldState, apiKeys: KeyRecord): Listing {
    const { environment } = world.name
    const listing = this.#byRecord[environment].get(apiKeys) ?? this.#create(environment, apiKeys)
    listing.worlds.add(world)
    return listing
  }

  #create(environment: Environment, apiKeys: KeyRecord): Listing {
    const listing = { environment, apiKeys, worlds: new Set<WorldState>() }
    this.#byRecord[environment].set(apiKeys, listing)
    const index = this.#byKey[environment]
    for (const apiKey of Object.keys(apiKeys)) {
      index.set(apiKey, (index.get(apiKey) ?? new Set()).add(listing))
    }
    return listing
  }

  #leave(world: WorldState, listing: Listing): void {
    const { environment, apiKeys, worlds } = listing
    worlds.delete(world)
    if (worlds.size > 0) return
    this.#byRecord[environment].delete(apiKeys)
    const index = this.#byKey[environment]
    for (const apiKey of Object.keys(apiKeys)) {
      const listings = index.get(apiKey)
      listings?.delete(listing)
      if (listings?.size === 0) index.delete(apiKey)
    }
  }
}
