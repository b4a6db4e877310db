/** Maximum number of remembered requests. */
const remembered = 64

/**
 * The latest requests of clients in this process that failed. Distinguishes a client that repeats a
 * request at once from one that has sent the same request several times at the same time: the clock
 * of the world may be frozen.
 */
export class RecentFailures {
  /** Number of failed responses that clients have received. */
  received = 0
  /** By request, the value of `received` when the client has the response; undefined until then. */
  readonly #receivedAt = new Map<string, number | undefined>()

  /** Adds a request that failed. Its client can have the response in the next microtask. */
  add(id: string): void {
    this.#receivedAt.delete(id)
    this.#receivedAt.set(id, undefined)
    for (const oldest of this.#receivedAt.keys()) {
      if (this.#receivedAt.size <= remembered) break
      this.#receivedAt.delete(oldest)
    }
    queueMicrotask(() => {
      this.received += 1
      if (this.#receivedAt.has(id)) this.#receivedAt.set(id, this.received)
    })
  }

  remove(id: string): void {
    this.#receivedAt.delete(id)
  }

  /**
   * Whether the client had the failed response to a request when it sent it again.
   *
   * @param received The value of `received` at that time.
   */
  hasReceived(id: string, received: number): boolean {
    const receivedAt = this.#receivedAt.get(id)
    return receivedAt !== undefined && receivedAt <= received
  }
}
