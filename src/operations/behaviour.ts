import type { z } from 'zod'
import type { JsonText } from '../contract/json-text.js'
import type { Change } from '../world/changes.js'
import type { WorldState } from '../world/world.js'

/** What an operation gets: the world as it is, and the call, read and found to fit. */
export interface Step<Body = unknown> {
  readonly world: WorldState
  /** Path parameters, each an int64 in canonical decimal. */
  readonly params: Readonly<Record<string, string>>
  readonly body: Body
}

/** What an operation gives: the answer, and the changes that the call makes. */
export interface Outcome {
  /** Without one, 200. */
  readonly status?: number
  readonly body: JsonText
  readonly changes?: readonly Change[]
}

/**
 * How an operation behaves: a pure step, except that drawing from the world's seed moves it on. It
 * writes nothing; the pipeline applies its changes. A failure is thrown as a `Problem`.
 */
export interface Behaviour<Body = unknown> {
  /** The schema of the request body in this world; without it, a body is not looked at. */
  body?(world: WorldState): z.ZodType<Body>
  run(step: Step<Body>): Outcome
}

/** Types a behaviour by the body that its schema reads. */
export function defineBehaviour<Body = undefined>(behaviour: Behaviour<Body>): Behaviour<Body> {
  return behaviour
}
