import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import { int64JsonSchema } from '../../service/int64.js'

/** The parts of a request that faults match. */
export interface FaultRequest {
  /** As in the path; undefined if the path has none. */
  readonly petId: string | undefined
  /** Returns the value of a header by its lower-case name. */
  header(name: string): string | undefined
  /** Returns the parsed body; null if it is not JSON. */
  json(): unknown
}

/** Maximum nesting of `match.body`. */
const maximumDepth = 16

/** Further conditions on the requests that a fault applies to. */
export const matchSchema = z
  .strictObject({
    petId: annotate(z.optional(int64JsonSchema), 'Id of the pet in the path.'),
    body: annotate(
      z.optional(
        z.record(z.string(), z.unknown()).check(
          z.refine((body) => isJson(body, maximumDepth), {
            error: `an object of JSON data with at most ${maximumDepth} levels of nesting`,
          }),
        ),
      ),
      'Fields that the JSON body contains.',
    ),
    headers: annotate(
      z.optional(
        z.record(z.string(), z.string()).check(
          z.refine((headers) => Object.keys(headers).every(isHeaderName), {
            error: 'an object of header names, except authorization, and their values',
          }),
        ),
      ),
      'Headers with their whole values; names in any case.',
    ),
  })
  .check(
    z.refine((match) => Object.keys(match).length > 0, {
      error: 'an object with petId, body or headers',
    }),
  )

export type Match = z.output<typeof matchSchema>

/** Whether JSON can represent a value. */
function isJson(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return Number.isFinite(value) || value === null || /string|boolean/.test(typeof value)
  }
  return depth > 0 && Object.values(value).every((field) => isJson(field, depth - 1))
}

/** Keys select worlds. A fault must not contain a key, because the world shows its faults. */
function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+.^`|~\w-]+$/.test(name) && name.toLowerCase() !== 'authorization'
}

/** Whether a request matches. Reads the body last, and only if the match has `body`. */
export function matches(request: FaultRequest, { petId, headers = {}, body }: Match): boolean {
  if (petId !== undefined && request.petId !== String(petId)) return false
  for (const [name, value] of Object.entries(headers)) {
    if (request.header(name.toLowerCase()) !== value) return false
  }
  return body === undefined || contains(request.json(), body)
}

/** Whether a value has all wanted fields. Arrays must have the same length. */
function contains(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(wanted) !== Array.isArray(value)) return false
  if (Array.isArray(wanted) && wanted.length !== Object.keys(value).length) return false
  return Object.entries(wanted).every(
    ([name, field]) => Object.hasOwn(value, name) && contains(Reflect.get(value, name), field),
  )
}

/** Describes a match: `with petId 7 and x-a: 1`. */
export function describeMatch({ petId, headers = {}, body }: Match): string {
  const parts = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (body !== undefined) parts.unshift(`body ${JSON.stringify(body)}`)
  if (petId !== undefined) parts.unshift(`petId ${petId}`)
  return `with ${parts.join(' and ')}`
}
