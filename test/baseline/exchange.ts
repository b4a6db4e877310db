/** A request, as both builds receive it. */
export interface SentRequest {
  readonly method: string
  /** An address and what follows it: `/v1/inventory`. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer> | undefined
}

/** What a build sent. */
export interface Received {
  /** 0 without a response. */
  readonly status: number
  /** In their order, over HTTP also with their case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** One character for each byte. */
  readonly body: string
  /** Why the response is missing or incomplete. */
  readonly failure?: string
  /** The rest of an event stream. */
  readonly stream?: Promise<string>
}

/** A request and everything that one build did with it. */
export interface Exchange {
  /** A request, or the description of another event. */
  readonly request: SentRequest | string
  readonly response: Received
  /** The journal entries that listeners received, as JSON. */
  readonly entries: readonly string[]
  /** The delays that the build requested, in milliseconds. */
  readonly delays: readonly number[]
}
