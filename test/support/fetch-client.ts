import type { Client, SentRequest } from './transport.js'

/** Creates a client that sends with a function such as the global `fetch`. */
export function createFetchClient(fetchLike: typeof fetch): Client {
  return async ({ method, url, headers, body }) => {
    const init = { method, headers: toHeaders(headers), body: body ?? null }
    const response = await fetchLike(url, init)
    const { status, statusText, headers: received } = response
    return { status, statusText, headers: received, ...(await readBody(response)) }
  }
}

async function readBody(response: Response): Promise<{ text: string; isCutOff: boolean }> {
  if (response.body === null) return { text: '', isCutOff: false }
  const { bytes, isCutOff } = await collect(response.body)
  return { text: decode(bytes), isCutOff }
}

function toHeaders(pairs: SentRequest['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of pairs) headers.append(name, value)
  return headers
}

/** Reads a body to its end, or to the point where the connection closes. */
export async function collect(
  body: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<{ bytes: Uint8Array; isCutOff: boolean }> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let isCutOff = false
  try {
    for await (const chunk of body) chunks.push(chunk)
  } catch {
    isCutOff = true
  }
  return { bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()), isCutOff }
}

/** Decodes UTF-8. @throws {TypeError} For other bytes. */
export function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}
