import type { Socket } from 'node:net'
import type { Client } from './client.js'
import type { Random } from './random.js'
import type { Server, ServerOptions } from './server.js'

/** `small` is fast enough for each change; `full` is for docs/reliability.md. */
export type Size = 'small' | 'full'

/** One attack, or one check of correctness, against a server of its own. */
export interface Trial {
  /** In kebab-case. */
  readonly name: string
  /** What the trial does, as a sentence for docs/reliability.md. */
  readonly title: string
  /** What `attempts` counts, in the plural. */
  readonly unit: string
  readonly attempts: Readonly<Record<Size, number>>
  /** Whether all attempts must be made. Otherwise fewer suffice when the time is over. */
  readonly isComplete?: boolean
  /** How the server is started. Default: without options. */
  readonly server?: ServerOptions
  /** Whether worlds remain afterwards, which may use up the memory budget. Otherwise none may. */
  readonly leavesWorlds?: boolean
  /** Longest response time of the health checks, in milliseconds. Default: the limit for any client. */
  readonly healthMs?: number
  /** Attacks the server. Reports through the context. */
  run(context: TrialContext): Promise<void>
}

/** What a trial gets and what it reports to. */
export interface TrialContext {
  readonly server: Server
  readonly size: Size
  /** Number of attempts to make. */
  readonly attempts: number
  readonly random: Random
  /** Aborted when the trial has to make no further attempts. */
  readonly ending: AbortSignal
  /** Aborted when the trial takes much too long, or the server has ended. All requests then fail. */
  readonly signal: AbortSignal
  /** Waits. Resolves early when `signal` is aborted. */
  pause(ms: number): Promise<void>
  /** Creates a client at a loopback address. */
  client(from: string, apiKey?: string): Client
  /** Opens a connection from a loopback address. It is closed at the end of the trial. */
  socket(from: string): Socket
  /** Counts attempts that were made. */
  count(attempts?: number): void
  /** Reports something that must not happen. */
  violation(message: string): void
  /** States a result in one sentence, for docs/reliability.md. */
  note(sentence: string): void
}

/** Loopback addresses of the clients. Linux accepts all of 127.0.0.0/8. */
export const addresses = {
  /** The unrelated client, whose response times are measured. */
  unrelated: '127.0.0.2',
  /** The health checks. */
  health: '127.0.0.3',
  /** A client that prepares or inspects a world and is not part of the attack. */
  owner: '127.0.0.4',
  partner: '127.0.0.50',
  attacker: '127.0.0.66',
} as const

/** Types a trial. */
export function defineTrial(trial: Trial): Trial {
  return trial
}
