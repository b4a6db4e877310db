import type { Store } from '../../store/store.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import type { Scenario } from '../../world/scenario/schema.js'
import { createSeedDocument, toSeedDocument } from '../../world/scenario/snapshot.js'
import type { WorldSeed } from '../../world/seed.js'

/** The seed of a stored world: the name of its scenario, and the id of a document or its whole content. */
export type SeedReference =
  | { readonly scenario: string; readonly document: string }
  | { readonly scenario: string; readonly content: Scenario }

/**
 * The seeds of stored worlds. The seeds of the scenario library are stored once for all worlds, as
 * documents. The seed of a scenario that a client sent is part of its world, and removed with it.
 */
export class StoredSeeds {
  /** The ids of the documents of seeds. */
  readonly #ids = new WeakMap<WorldSeed, string>()
  /** The seeds of documents. */
  readonly #seeds = new Map<string, WeakRef<WorldSeed>>()

  /** @param isShared Whether further worlds are likely to start from a seed. */
  constructor(
    readonly store: Store,
    readonly library: ScenarioLibrary,
    readonly isShared: (seed: WorldSeed) => boolean,
  ) {}

  /** Returns a reference to a seed. Stores the seed if necessary, also after the store has lost it. */
  async save(seed: WorldSeed): Promise<SeedReference> {
    const { scenario } = seed
    const known = this.#ids.get(seed)
    const isDocument = known !== undefined || this.isShared(seed)
    if (!isDocument) return { scenario, content: toSeedDocument(seed) }
    const document = known ?? (await createSeedDocument(seed)).id
    this.#remember(document, seed)
    await this.store.saveSeed(document, () => JSON.stringify(toSeedDocument(seed)))
    return { scenario, document }
  }

  /**
   * Returns the seed of a reference.
   *
   * @param current The seed that a new world would have: the same one, if its scenario has not changed.
   * @throws {Error} If the document is missing.
   */
  async load(reference: SeedReference, current: WorldSeed): Promise<WorldSeed> {
    const { scenario } = reference
    if ('content' in reference) return this.library.prepareStored(reference.content, scenario)
    const { document } = reference
    const loaded = this.#seeds.get(document)?.deref()
    if (loaded) return loaded
    const { id } = await createSeedDocument(current)
    if (id === document) return this.#remember(document, current)
    const text = await this.store.loadSeed(document)
    if (text === undefined) throw new Error(`the scenario ${scenario} of the world is missing`)
    return this.#remember(document, await this.library.prepareStored(JSON.parse(text), scenario))
  }

  #remember(document: string, seed: WorldSeed): WorldSeed {
    this.#ids.set(seed, document)
    this.#seeds.set(document, new WeakRef(seed))
    return seed
  }
}
