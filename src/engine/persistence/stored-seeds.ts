import type { Store } from '../../store/store.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { createSeedDocument, toSeedDocument } from '../../world/scenario/snapshot.js'
import type { WorldSeed } from '../../world/seed.js'

/** The seed of a stored world: the id of a document, or its whole content. */
export interface SeedReference {
  /** Name of the scenario. */
  readonly scenario: string
  readonly document?: string | undefined
  readonly content?: Scenario | undefined
}

/**
 * The seeds of stored worlds. The seeds of the scenario library are stored once for all worlds, as
 * documents. The seed of a scenario that a client sent is part of its world, and removed with it.
 */
export class StoredSeeds {
  #references = new WeakMap<WorldSeed, Promise<SeedReference>>()
  readonly #loaded = new Map<string, WeakRef<WorldSeed>>()

  /** @param isShared Whether further worlds are likely to start from a seed. */
  constructor(
    readonly store: Store,
    readonly library: ScenarioLibrary,
    readonly isShared: (seed: WorldSeed) => boolean,
  ) {}

  /** Returns a reference to a seed. Stores the seed if necessary. */
  save(seed: WorldSeed): Promise<SeedReference> {
    const found = this.#references.get(seed)
    if (found) return found
    const saving = this.#save(seed)
    this.#references.set(seed, saving)
    saving.catch(() => this.#references.delete(seed))
    return saving
  }

  /** Stores the seeds again when they are used next, because the store may have lost them. */
  forget(): void {
    this.#references = new WeakMap()
  }

  async #save(seed: WorldSeed): Promise<SeedReference> {
    const { scenario } = seed
    if (!this.isShared(seed)) return { scenario, content: toSeedDocument(seed) }
    const { id: document, text } = await createSeedDocument(seed)
    await this.store.saveSeed(document, text)
    this.#loaded.set(document, new WeakRef(seed))
    return { scenario, document }
  }

  /**
   * Returns the seed of a reference.
   *
   * @throws {Error} If the document is missing or invalid.
   */
  async load(reference: SeedReference): Promise<WorldSeed> {
    const { scenario, document, content } = reference
    if (document === undefined) {
      const seed = await this.#prepare(scenario, content)
      this.#references.set(seed, Promise.resolve(reference))
      return seed
    }
    const found = this.#loaded.get(document)?.deref() ?? (await this.#findInLibrary(reference))
    if (found) return found
    const text = await this.store.loadSeed(document)
    if (text === undefined) throw new Error(`the scenario ${scenario} of the world is missing`)
    const seed = await this.#prepare(scenario, JSON.parse(text))
    this.#loaded.set(document, new WeakRef(seed))
    this.#references.set(seed, Promise.resolve(reference))
    return seed
  }

  /** Returns the seed of the library, if its scenario has not changed since. */
  async #findInLibrary({ scenario, document }: SeedReference): Promise<WorldSeed | undefined> {
    const names = scenario.split('+')
    if (!names.every((name) => this.library.has(name))) return undefined
    const [name = ''] = names
    const seed = await this.library.prepare(names.length === 1 ? name : names)
    const { document: current } = await this.save(seed)
    return current === document ? seed : undefined
  }

  #prepare(name: string, content: unknown): Promise<WorldSeed> {
    return this.library.prepareStored(content as Scenario, name) // `toSeedDocument` has created it
  }
}
