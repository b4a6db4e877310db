/**
 * Returns an id for use in keys: without `!` and `}`, and with a replacement for lone surrogates,
 * which UTF-8 cannot represent. Different ids have different results.
 */
export function escapeId(id: string): string {
  return id.replace(/[%!}]|\p{Surrogate}/gu, (found) => `%${found.charCodeAt(0).toString(16)};`)
}

/** Returns the id that {@link escapeId} has escaped. */
export function unescapeId(escaped: string): string {
  return escaped.replace(/%([0-9a-f]+);/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
