import type { ErrorBody } from '../contract/errors.js'

/** An answer that ends a call early with an Error body whose code no catalogue has to know. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(readonly body: ErrorBody) {
    super(body.message)
  }
}

/** The connection breaks: no answer at all. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
}
