import type { World } from '../control/world.js'
import { notifyListeners } from '../world/journal/journal.js'
import type { ChangeKind } from '../world/world.js'

/** Functions that are called when something happens. */
export class Listeners<Args extends readonly unknown[]> {
  readonly all = new Set<(...args: Args) => void>()

  /** @param reportError Receives the errors that listeners throw. */
  constructor(readonly reportError: (error: unknown) => void) {}

  /** Adds a listener. Returns a function that removes it. */
  add(listener: (...args: Args) => void): () => void {
    // The same function may be added twice.
    const added = (...args: Args) => listener(...args)
    this.all.add(added)
    return () => this.all.delete(added)
  }

  notify(...args: Args): void {
    notifyListeners(this.all, this.reportError, ...args)
  }
}

/** Collects the changes of worlds, and reports them once per turn of the event loop and world. */
export class WorldChanges extends Listeners<[world: World, kinds: ReadonlySet<ChangeKind>]> {
  #changed = new Map<World, Set<ChangeKind>>()

  /** Called when something has changed a world. */
  report(world: World, kind: ChangeKind): void {
    if (this.all.size === 0) return
    const kinds = this.#changed.get(world)
    if (kinds) {
      kinds.add(kind)
      return
    }
    // Jest replaces `queueMicrotask` by a fake.
    if (this.#changed.size === 0) void Promise.resolve().then(() => this.#flush())
    this.#changed.set(world, new Set([kind]))
  }

  #flush(): void {
    const changed = this.#changed
    this.#changed = new Map()
    for (const [world, kinds] of changed) this.notify(world, kinds)
  }
}
