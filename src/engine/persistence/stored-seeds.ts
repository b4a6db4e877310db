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
  /** The seeds of documents. */
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
   * @param current The seed that a new world would have: the same one, if its scenario has not changed.
   * @throws {Error} If the document is missing.
   */
  async load(reference: SeedReference, current: WorldSeed): Promise<WorldSeed> {
    const { scenario, document, content } = reference
    if (document === undefined) return this.#prepare(reference, content)
    const loaded = this.#loaded.get(document)?.deref()
    if (loaded) return loaded
    if ((await createSeedDocument(current)).id === document) {
      this.#loaded.set(document, new WeakRef(current))
      return current
    }
    const text = await this.store.loadSeed(document)
    if (text === undefined) throw new Error(`the scenario ${scenario} of the world is missing`)
    const seed = await this.#prepare(reference, JSON.parse(text))
    this.#loaded.set(document, new WeakRef(seed))
    return seed
  }

  /** Prepares a seed that `save` does not have to store. */
  async #prepare(reference: SeedReference, content: unknown): Promise<WorldSeed> {
    const document = content as Scenario // `toSeedDocument` has created it
    const seed = await this.library.prepareStored(document, reference.scenario)
    this.#references.set(seed, Promise.resolve(reference))
    return seed
  }
}
