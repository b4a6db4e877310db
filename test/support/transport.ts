import type { InProcessSandbox, SandboxOptions } from '../../src/index.js'
import type { AddressId } from '../../src/service/addresses.js'

/** The addresses that the specification names. */
export const serviceAddresses = [
  'api',
  'staging',
  'quickstart',
] as const satisfies readonly AddressId[]
export type ServiceAddress = (typeof serviceAddresses)[number]

/** A request, as a client sends it. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

/** A response, as a client receives it. */
export interface ReceivedResponse {
  readonly status: number
  /** The reason phrase, such as `Not Found`. */
  readonly statusText: string
  readonly headers: Headers
  /** The received part of the body. */
  readonly text: string
  /** Whether the connection closed in the middle of the body. */
  readonly isCutOff: boolean
}

/** Sends a request. Rejects if the connection closes before a response. */
export type Client = (request: SentRequest) => Promise<ReceivedResponse>

/** A running sandbox and a client for it. */
export interface Place {
  /** The part of the sandbox that tests control and inspect. */
  readonly sandbox: Pick<InProcessSandbox, 'world' | 'worldFor' | 'use' | 'reset' | 'subscribe'>
  /** All sandboxes that respond, if `sandbox` is one of several replicas. */
  readonly replicas?: readonly InProcessSandbox[]
  readonly urls: Readonly<Record<ServiceAddress, string>>
  readonly send: Client
  close(): Promise<void> | void
}

/** A way in which requests reach a sandbox. */
export interface Transport {
  readonly name: string
  open(options: SandboxOptions): Promise<Place>
}
