import type { Clock } from './clock.js'
import { CircuitOpenError, ResponseError } from './errors.js'
import { isServiceFailure } from './retry.js'

export interface CircuitOptions {
  /** Number of consecutive failures of the service after which no request is sent. */
  readonly failures: number
  /** Time without requests, in milliseconds. One request then probes the service. */
  readonly openMs: number
}

export const defaultCircuit: CircuitOptions = { failures: 5, openMs: 30_000 }

/** Stops sending requests to a service that fails repeatedly. */
export class CircuitBreaker {
  #failures = 0
  /** No request is sent before this time, in milliseconds since the epoch. */
  #closedFromMs = 0

  constructor(
    readonly options: CircuitOptions,
    readonly clock: Clock,
  ) {}

  /** @throws {CircuitOpenError} Without sending the request. */
  async run<T>(send: () => Promise<T>): Promise<T> {
    this.#admit()
    try {
      const result = await send()
      this.#failures = 0
      return result
    } catch (error) {
      if (isServiceFailure(error)) this.#fail()
      // An error such as 404 shows that the service works.
      else if (error instanceof ResponseError) this.#failures = 0
      throw error
    }
  }

  #admit(): void {
    if (this.#failures < this.options.failures) return
    const waitMs = this.#closedFromMs - this.clock.now()
    if (waitMs > 0) throw new CircuitOpenError(waitMs)
    // This request is the probe. Others wait for its result.
    this.#closedFromMs += this.options.openMs
  }

  #fail(): void {
    this.#failures += 1
    this.#closedFromMs = this.clock.now() + this.options.openMs
  }
}
