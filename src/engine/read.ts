import type * as z from 'zod/mini'
import { Problem } from '../service/errors.js'
import { isInt64 } from '../service/int64.js'
import { describeValue, readValue } from '../service/validation/validate.js'
import type { Exchange } from './exchange.js'
import { readJson } from './json.js'
import { bodyLimitOf } from './message.js'

/**
 * Validates the path parameters: each is an int64 in canonical decimal (A15).
 *
 * @throws {Problem} invalid_parameter
 */
export function readParameters(
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const read: Record<string, string> = {}
  for (const name in params) read[name] = readInt64(name, params[name] ?? '')
  return read
}

function readInt64(name: string, escaped: string): string {
  if (isInt64(escaped)) return escaped
  const text = decodePercent(escaped)
  if (isInt64(text)) return text
  const wanted = 'an int64 in canonical decimal, such as 7'
  throw new Problem('invalid_parameter', `${name} must be ${wanted}, found ${describeValue(text)}`)
}

/** Decodes percent escapes; returns a malformed string unchanged. */
function decodePercent(escaped: string): string {
  try {
    return decodeURIComponent(escaped)
  } catch {
    return escaped
  }
}

/** The part of an exchange that has its body. */
type Content = Pick<Exchange, 'request' | 'body'>

/**
 * Validates the body: its type, encoding, size, JSON and fields.
 *
 * @throws {Problem} unsupported_media_type, unsupported_content_encoding, payload_too_large,
 * invalid_json, missing_field or invalid_field
 */
export function readBody<Body>(exchange: Content, schema: z.ZodMiniType<Body>): Body {
  return readValue(schema, readJson(findJson(exchange)), 'the body')
}

/** Returns the bytes of a body that states to be JSON. */
function findJson({ request, body }: Content): Uint8Array {
  const type = request.header('content-type')
  if (!isJson(type)) {
    const found = type === undefined ? 'none' : describeValue(type)
    const message = `Content-Type must be application/json, found ${found}`
    throw new Problem('unsupported_media_type', message)
  }
  const encoding = request.header('content-encoding')
  if (!isIdentity(encoding)) {
    const found = describeValue(encoding)
    const message = `Content-Encoding must be identity or absent, found ${found}`
    throw new Problem('unsupported_content_encoding', message)
  }
  if (body === 'too-large') {
    const limit = bodyLimitOf(request.address)
    throw new Problem('payload_too_large', `the body must be at most ${limit} bytes`)
  }
  if (body === undefined || body.byteLength === 0) {
    throw new Problem('invalid_json', 'the body must be JSON, found nothing')
  }
  return body
}

/** Whether the value of a Content-Type header is that of JSON. */
export function isJson(type: string | undefined): boolean {
  return type?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

function isIdentity(encoding: string | undefined): boolean {
  return encoding === undefined || /^(identity)?$/i.test(encoding.trim())
}
