import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { AddressId } from '../contract/addresses.js'
import { splitTarget } from '../in-process/fetch.js'
import type { ApiRequest } from '../pipeline/message.js'

/** An HTTP request as a call. */
export class HttpRequest implements ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #headers: IncomingHttpHeaders

  /** @param target Path and query below the address. */
  constructor(
    req: IncomingMessage,
    readonly address: AddressId,
    target: string,
    readonly body: ApiRequest['body'],
  ) {
    const { path, query } = splitTarget(target)
    this.method = req.method ?? 'GET'
    this.path = path
    this.query = query
    this.#headers = req.headers
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  forEachHeader(visit: (name: string, value: string) => void): void {
    for (const name in this.#headers) {
      const value = this.header(name)
      if (value !== undefined) visit(name, value)
    }
  }
}
