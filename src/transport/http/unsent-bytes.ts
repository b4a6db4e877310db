import type { ServerResponse } from 'node:http'
import type { Client } from '../../engine/client.js'

/** A response that its client has not read. */
interface UnsentResponse {
  readonly client: Client
  readonly bytes: number
}

/**
 * The bytes of responses that have not been sent. Beyond the limit, closes the connections of the
 * client with the most.
 */
export class UnsentBytes {
  #total = 0
  readonly #responses = new Map<ServerResponse, UnsentResponse>()

  constructor(readonly limit: number) {}

  get total(): number {
    return this.#total
  }

  /** Sets the number of bytes of a response that have not been sent, until it is closed. */
  set(res: ServerResponse, client: Client, bytes: number): void {
    if (res.destroyed) return
    const known = this.#responses.get(res)
    if (!known) {
      if (bytes === 0) return
      res.once('close', () => this.#remove(res))
    }
    this.#total += bytes - (known?.bytes ?? 0)
    this.#responses.set(res, { client, bytes })
    if (this.#total > this.limit) this.#closeHeaviest()
  }

  #remove(res: ServerResponse): void {
    this.#total -= this.#responses.get(res)?.bytes ?? 0
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
