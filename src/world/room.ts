/** What limits the size of a world: its own limit, and what other worlds leave. */
export interface WorldRoom {
  /** Maximum size of the world, in bytes. */
  readonly limit: number
  /**
   * Evicts other worlds until this one may have a size. Returns the limit that it would exceed, for
   * messages; undefined if there is room.
   */
  findFull(size: number): string | undefined
  /** Called with the size of the world when it may have changed. */
  resize(size: number): void
  /** Called when the sandbox discards the world. */
  close(): void
}
