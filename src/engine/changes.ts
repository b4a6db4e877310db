import type { World } from '../control/world.js'
import { notifyListeners } from '../world/journal/journal.js'
import type { ChangeKind } from '../world/world.js'

/** Receives a world, and what has changed in it since the last time. */
export type ChangeListener = (world: World, kinds: ReadonlySet<ChangeKind>) => void

/** Collects the changes of worlds, and reports them once per turn of the event loop and world. */
export class WorldChanges {
  readonly #listeners = new Set<ChangeListener>()
  #changed = new Map<World, Set<ChangeKind>>()

  /** @param reportError Receives the errors that listeners throw. */
  constructor(readonly reportError: (error: unknown) => void) {}

  /** Registers a listener. Returns a function that removes it. */
  subscribe(listener: ChangeListener): () => void {
    // The same function may be registered twice.
    const registered: ChangeListener = (world, kinds) => listener(world, kinds)
    this.#listeners.add(registered)
    return () => this.#listeners.delete(registered)
  }

  add(world: World, kind: ChangeKind): void {
    if (this.#listeners.size === 0) return
    const kinds = this.#changed.get(world)
    if (kinds) {
      kinds.add(kind)
      return
    }
    // Jest replaces `queueMicrotask` by a fake.
    if (this.#changed.size === 0) void Promise.resolve().then(() => this.#report())
    this.#changed.set(world, new Set([kind]))
  }

  #report(): void {
    const changed = this.#changed
    this.#changed = new Map()
    for (const [world, kinds] of changed) {
      notifyListeners(this.#listeners, this.reportError, world, kinds)
    }
  }
}
