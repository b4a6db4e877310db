import type { ServerResponse } from 'node:http'
import type { Client } from '../../engine/client.js'
import { availableTo } from '../../engine/registry.js'
import { clientShare, createCapacityProblem, preparingClients } from '../../service/bounds.js'
import { passTurns } from '../../service/timers.js'

/** Turns of the event loop between two long tasks: more than the request of another client needs. */
export const turnsForOthers = 10

/**
 * Performs preparations of scenarios, reports and snapshots one at a time, because each may use a large
 * part of the memory. Each client has at most one place in the queue.
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
      const limit = `${preparingClients} clients that prepare a scenario or report`
      throw createCapacityProblem(limit, 1)
    }
    this.#clients += 1
    const start = () => passTurns(turnsForOthers).then(prepare)
    const result = this.#last.then(start, start)
    this.#last = result
    return result.finally(() => (this.#clients -= 1))
  }
}

/** A number of bytes that the requests of all clients share. */
export class SharedBytes {
  used = 0
  readonly #usedBy = new Map<Client, number>()

  /** @param unit The counted unit, for messages: `bytes of request bodies`. */
  constructor(
    readonly limit: number,
    readonly unit: string,
  ) {}

  usedBy(client: Client): number {
    return this.#usedBy.get(client) ?? 0
  }

  /** Counts bytes towards a client. Returns false if there is no room for them. */
  tryAdd(client: Client, bytes: number): boolean {
    const own = this.usedBy(client) + bytes
    if (own > this.limit * clientShare) return false
    if (this.used + bytes > availableTo(this.limit, own)) return false
    this.used += bytes
    this.#usedBy.set(client, own)
    return true
  }

  /**
   * Counts bytes towards a client.
   *
   * @throws {Problem} sandbox_capacity
   */
  add(client: Client, bytes: number): void {
    if (this.tryAdd(client, bytes)) return
    const { limit, unit } = this
    const limits = `${limit} ${unit}, of which one client may use ${limit * clientShare}`
    throw createCapacityProblem(limits, 10)
  }

  remove(client: Client, bytes: number): void {
    this.used -= bytes
    const own = this.usedBy(client) - bytes
    if (own > 0) this.#usedBy.set(client, own)
    else this.#usedBy.delete(client)
  }
}

/**
 * The bytes of responses that have not been sent. Beyond the limit, closes the connections of the
 * client with the most.
 */
export class UnsentBytes {
  total = 0
  readonly #responses = new Map<ServerResponse, { client: Client; bytes: number }>()

  constructor(readonly limit: number) {}

  /** Sets the number of bytes of a response that have not been sent, until it is closed. */
  set(res: ServerResponse, client: Client, bytes: number): void {
    if (res.destroyed) return
    const known = this.#responses.get(res)
    if (!known && bytes === 0) return
    if (!known) res.once('close', () => this.#remove(res))
    this.total += bytes - (known?.bytes ?? 0)
    this.#responses.set(res, { client, bytes })
    if (this.total > this.limit) this.#closeHeaviest()
  }

  #remove(res: ServerResponse): void {
    this.total -= this.#responses.get(res)?.bytes ?? 0
    this.#responses.delete(res)
  }

  #closeHeaviest(): void {
    const sums = new Map<Client, number>()
    for (const { client, bytes } of this.#responses.values()) {
      sums.set(client, (sums.get(client) ?? 0) + bytes)
    }
    const [heaviest] = [...sums].reduce((most, sum) => (sum[1] > most[1] ? sum : most))
    for (const [res, { client, bytes }] of this.#responses) {
      if (client !== heaviest || bytes === 0) continue
      this.#remove(res)
      res.destroy()
    }
  }
}
