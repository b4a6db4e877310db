import type { Shortened } from './expand.js'

/** The content of a golden file of requests and responses. */
export interface Cases {
  /** Header lines and bodies that many responses have, by the name in their place. */
  readonly shared: Readonly<Record<string, unknown>>
  /** What each case does, by its title. */
  readonly cases: Readonly<Record<string, readonly (Step | AgainStep)[]>>
}

/** Sends the request of the step before again. */
export interface AgainStep {
  /** The header lines that differ from the previous response. All else is the same. */
  readonly again: readonly string[]
}

export type Step = OpenStep | CallStep | PassStep | SendStep

/** Opens a sandbox, which replaces the previous sandbox. */
export interface OpenStep {
  /** Its options. `now` is the real time, if it is not the usual one. */
  readonly open: Readonly<Record<string, Shortened>>
}

/** Calls a method of the sandbox. */
export interface CallStep {
  /** Names of properties; each list has the arguments of the method before it. */
  readonly call: readonly (string | readonly Shortened[])[]
}

/** Lets real time pass. */
export interface PassStep {
  readonly passMs: number
}

export interface SendStep {
  /** Method, address and path: `PATCH {api}/inventory/1`. */
  readonly send: string
  /** `Name: value`, where `{origin}` and `{host}` refer to the address. */
  readonly headers?: readonly string[]
  /** The body, if it is JSON exactly as `JSON.stringify` writes it. */
  readonly json?: Shortened
  /** Any other body in UTF-8. */
  readonly text?: Shortened
  /** Any other body. */
  readonly base64?: string
  /** Missing until a replay has been accepted. */
  readonly response?: GoldenResponse
  /** What `sandbox.fetch` returns otherwise than HTTP. */
  readonly fetch?: FetchDifference
}

/** What a server sends in response to a request. */
export interface GoldenResponse extends GoldenBody {
  /** The name of a shared body. */
  readonly body?: string
  /** The status line without the version. */
  readonly status?: string
  /** The header lines as sent, or names of shared ones. */
  readonly headers?: readonly string[]
  /** The requested delays, in milliseconds. */
  readonly delays?: readonly number[]
  /** How the connection closed before the response was complete. */
  readonly connection?: 'ended' | 'reset'
}

/** A body: one of these, or none. */
export interface GoldenBody {
  readonly json?: unknown
  readonly text?: string
  readonly base64?: string
  readonly long?: { readonly bytes: number; readonly sha256: string; readonly start: string }
}

export interface FetchDifference extends GoldenBody {
  /** Why it rejected. */
  readonly error?: string
  readonly status?: string
  /** Header lines that HTTP lacks, and those that it lacks with a minus sign. */
  readonly headers?: readonly string[]
  /** The values in the JSON that differ, by their path. Null for those that are missing. */
  readonly jsonAt?: Readonly<Record<string, unknown>>
  readonly delays?: readonly number[]
  readonly isCutOff?: boolean
}

/** Returns whether a step sends a request. */
export function isSendStep(step: Step | AgainStep): step is SendStep {
  return 'send' in step
}
