/** Base class of the errors of this client. */
export class PetStoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** The service responded with an error status. */
export class ResponseError extends PetStoreError {
  constructor(
    message: string,
    readonly status: number,
    /** The `code` of the Error body. Undefined if the response had none, for example from a proxy. */
    readonly code: string | undefined,
    /** Time in milliseconds that the service requires before the next request. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message)
  }
}

/** 400: the request is missing fields or has invalid values. */
export class InvalidRequestError extends ResponseError {}
/** 401: the API key is missing or invalid. */
export class UnauthorizedError extends ResponseError {}
/** 404: the pet does not exist. */
export class NotFoundError extends ResponseError {}
/** 410: the operation no longer exists. */
export class GoneError extends ResponseError {}
/** 429: the rate limit is exceeded, or the key is banned. */
export class RateLimitError extends ResponseError {}
/** 5xx: the service failed. */
export class ServerError extends ResponseError {}

/** There was no complete response. */
export class ConnectionError extends PetStoreError {}
/** The response did not arrive in time. */
export class TimeoutError extends PetStoreError {}

/** The request was not sent, because too many before it have failed. */
export class CircuitOpenError extends PetStoreError {
  constructor(readonly retryAfterMs: number) {
    super(`the service has failed repeatedly; the next request is possible in ${retryAfterMs} ms`)
  }
}
