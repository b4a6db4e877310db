import { createCapacityProblem, preparingClients } from '../../service/bounds.js'

/**
 * Performs preparations of scenarios, reports and snapshots one at a time, because each may use a
 * large part of the memory. A client with several of them waits for its own before it takes a place.
 */
export class Preparations {
  #clients = 0
  #last: Promise<unknown> = Promise.resolve()
  /** The last preparation of each client. */
  readonly #lastOf = new WeakMap<object, Promise<unknown>>()

  /**
   * Performs a preparation when its turn has come.
   *
   * @throws {Problem} sandbox_capacity, as a rejection, if too many clients wait.
   */
  run<T>(client: object, prepare: () => Promise<T>): Promise<T> {
    const start = () => this.#enqueue(prepare)
    const result = (this.#lastOf.get(client) ?? Promise.resolve()).then(start, start)
    this.#lastOf.set(client, result)
    return result
  }

  async #enqueue<T>(prepare: () => Promise<T>): Promise<T> {
    if (this.#clients >= preparingClients) {
      throw createCapacityProblem(
        `${preparingClients} clients that prepare a scenario or report`,
        1,
      )
    }
    this.#clients += 1
    const result = this.#last.then(prepare, prepare)
    this.#last = result
    try {
      return await result
    } finally {
      this.#clients -= 1
    }
  }
}
