import type { ShownRequest } from './shown-request.js'

/**
 * Whether a journal entry contains a text, regardless of case: in its method, path, query, headers,
 * bodies, code or explanation.
 *
 * @param text In lower case.
 */
export function hasText(
  entry: Pick<ShownRequest, 'request' | 'response' | 'explanation'>,
  text: string,
): boolean {
  const { request, response, explanation } = entry
  const { method, path, query } = request
  const line = `${method} ${path}${query === null ? '' : `?${query}`}`
  const headers = [request.headers, response.headers].flatMap((each) => Object.entries(each))
  const lines = [...explanation, ...headers.map(([name, value]) => `${name}: ${value}`)]
  const parts = [line, request.body, response.body, response.code, ...lines]
  return parts.some((part) => part?.toLowerCase().includes(text))
}
