/** Receives measurements of a store. */
export interface StoreObserver {
  /**
   * Called after each operation of the store, also after one that failed.
   *
   * @param operation Name of the method of the store: `append`.
   */
  observeStore(operation: string, seconds: number): void
  /** Called each time a request is executed again, because another replica has changed its world. */
  countConflict(): void
}
