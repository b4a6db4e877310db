/** Decodes percent escapes; returns a malformed string unchanged. */
export function decodePercent(escaped: string): string {
  try {
    return decodeURIComponent(escaped)
  } catch {
    return escaped
  }
}
