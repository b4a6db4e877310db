import { maximumDepth, maximumJsonNames, maximumJsonValues } from '../service/bounds.js'
import { Problem } from '../service/errors.js'
import { depthLimit, describeValue } from '../service/validation/validate.js'

/**
 * Parses a JSON body. Its nesting and its numbers of values and of names are limited before any of
 * them is created.
 *
 * @throws {Problem} invalid_json if it is not JSON in UTF-8; invalid_field if it exceeds a limit.
 */
export function readJson(bytes: Uint8Array): unknown {
  checkBounds(bytes)
  const text = decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('invalid_json', `the body must be JSON, found ${describeValue(text)}`)
  }
}

/** Does not validate the JSON. */
function checkBounds(bytes: Uint8Array): void {
  let depth = 0
  let values = 0
  let isInString = false
  /** Hash of the latest string (FNV-1a). Different names with the same hash count once. */
  let hash = 0
  const names = new Set<number>()
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isInString) {
      if (byte === quote) isInString = false
      else hash = Math.imul(hash ^ (byte ?? 0), 0x01000193)
      // The character after a backslash ends no string.
      if (byte === backslash) at += 1
    } else if (byte === quote) {
      isInString = true
      hash = 0
    } else if (byte === colon) {
      names.add(hash)
      if (names.size > maximumJsonNames) {
        throw createLimitProblem(`at most ${maximumJsonNames} different field names`)
      }
    } else if (byte === comma) values += 1
    else if (byte === 0x5b || byte === 0x7b) {
      values += 1
      depth += 1
      if (depth > maximumDepth) throw createLimitProblem(depthLimit)
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1
  }
  if (values > maximumJsonValues) throw createLimitProblem(`at most ${maximumJsonValues} values`)
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c

function createLimitProblem(wanted: string): Problem {
  return new Problem('invalid_field', `the body must be ${wanted}, found more`)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Problem('invalid_json', 'the body must be UTF-8, found invalid bytes')
  }
}
