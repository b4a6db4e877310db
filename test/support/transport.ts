import type { AddressId } from '../../src/contract/addresses.js'
import type { InProcessSandbox, SandboxOptions } from '../../src/index.js'

/** The addresses that the specification names. */
export const serviceAddresses = [
  'api',
  'staging',
  'quickstart',
] as const satisfies readonly AddressId[]
export type ServiceAddress = (typeof serviceAddresses)[number]

/** A request as it leaves a client. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

/** What arrived of an answer. */
export interface ReceivedAnswer {
  readonly status: number
  /** The reason phrase, such as `Not Found`. */
  readonly statusText: string
  readonly headers: Headers
  /** The body, as far as it arrived. */
  readonly text: string
  /** Whether the connection broke in the middle of the body. */
  readonly isCutOff: boolean
}

/** Sends a request; rejects when the connection breaks before an answer. */
export type Client = (request: SentRequest) => Promise<ReceivedAnswer>

/** A sandbox that runs somewhere. */
export interface Place {
  /** What a test steers and looks into. */
  readonly sandbox: Pick<InProcessSandbox, 'world' | 'worldFor' | 'use' | 'reset' | 'subscribe'>
  readonly urls: Readonly<Record<ServiceAddress, string>>
  readonly send: Client
  close(): Promise<void> | void
}

/** A place and a client: one way in which a call travels. */
export interface Transport {
  readonly name: string
  /** Whether a page sends the requests: its browser keeps some headers to itself. */
  readonly isPage?: boolean
  open(options: SandboxOptions): Promise<Place>
}
