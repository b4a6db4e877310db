import type * as z from 'zod/mini'
import { maximumDepth, maximumJsonNames, maximumJsonValues } from '../service/bounds.js'
import { Problem } from '../service/errors.js'
import { isInt64 } from '../service/int64.js'
import { decodePercent } from '../service/percent.js'
import { depthLimit, describeValue, readValue } from '../service/validation/validate.js'
import type { Exchange } from './exchange.js'

/**
 * Validates the path parameters: each is an int64 in canonical decimal (A15).
 *
 * @throws {Problem} invalid_parameter
 */
export function readParameters(
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const read: Record<string, string> = {}
  for (const [name, escaped] of Object.entries(params)) read[name] = readInt64(name, escaped)
  return read
}

function readInt64(name: string, escaped: string): string {
  const text = escaped.includes('%') ? decodePercent(escaped) : escaped
  if (isInt64(text)) return text
  const wanted = 'an int64 in canonical decimal, such as 7'
  throw new Problem('invalid_parameter', `${name} must be ${wanted}, found ${describeValue(text)}`)
}

/**
 * Validates the body: its type, encoding, size, JSON and fields.
 *
 * @throws {Problem} unsupported_media_type, unsupported_content_encoding, payload_too_large,
 * invalid_json, missing_field or invalid_field
 */
export function readBody<Body>(exchange: Exchange, schema: z.ZodMiniType<Body>): Body {
  return readValue(schema, readJson(findJson(exchange)), 'the body')
}

/** Returns the bytes of a body whose type is JSON. */
function findJson({ request, body, bodyLimit }: Exchange): Uint8Array {
  const type = request.header('content-type')
  if (!isJson(type)) {
    const found = type === undefined ? 'none' : describeValue(type)
    const message = `Content-Type must be application/json, found ${found}`
    throw new Problem('unsupported_media_type', message)
  }
  const encoding = request.header('content-encoding')
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding)) {
    const found = describeValue(encoding)
    const message = `Content-Encoding must be identity or absent, found ${found}`
    throw new Problem('unsupported_content_encoding', message)
  }
  if (body === 'too-large') {
    throw new Problem('payload_too_large', `the body must be at most ${bodyLimit} bytes`)
  }
  if (body === undefined || body.byteLength === 0) {
    throw new Problem('invalid_json', 'the body must be JSON, found nothing')
  }
  return body
}

/** Whether a Content-Type header names JSON. */
export function isJson(type: string | undefined): boolean {
  return type?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

/**
 * Parses a JSON body, after a check of its nesting and of its numbers of values and of names.
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
