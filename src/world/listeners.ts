/** Functions that are called when something happens. */
export class Listeners<Args extends readonly unknown[]> {
  readonly all = new Set<(...args: Args) => void>()
  /** Number of calls of `notify`. */
  notified = 0
  /** Called when a listener was added or removed. */
  onCount: () => void = () => {}

  /** @param reportError Receives the errors that listeners throw. */
  constructor(readonly reportError: (error: unknown) => void) {}

  /** Adds a listener. Returns a function that removes it. */
  add(listener: (...args: Args) => void): () => void {
    // The same function may be added twice.
    const added = (...args: Args) => listener(...args)
    this.all.add(added)
    this.onCount()
    return () => {
      if (this.all.delete(added)) this.onCount()
    }
  }

  /** Calls each listener. An error that one throws is reported and does not reach the others. */
  notify(...args: Args): void {
    this.notified += 1
    for (const listener of this.all) {
      try {
        listener(...args)
      } catch (cause) {
        this.reportError(new Error('a listener of the sandbox threw an error', { cause }))
      }
    }
  }
}

/**
 * What has changed in a world:
 * - `data`: pets, orders or messages
 * - `clock`: the clock was moved, stopped or started
 * - `quota`: a quota or a ban was set
 * - `faults`: faults were added, replaced or removed
 * - `requests`: a request was received, which also changes the quota, or the journal was cleared
 * - `start`: the world has started anew, so that everything may differ
 */
export type ChangeKind = 'data' | 'clock' | 'quota' | 'faults' | 'requests' | 'start'

/** Collects the changes of worlds, and reports them once per turn of the event loop and world. */
export class WorldChanges<World> extends Listeners<[world: World, kinds: ReadonlySet<ChangeKind>]> {
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
