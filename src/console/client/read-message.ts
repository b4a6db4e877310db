/** The message of an Error body (spec §2); undefined when the text is none. */
export function readMessage(text: string): string | undefined {
  const body = parse(text)
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined
  return typeof body.message === 'string' ? body.message : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
