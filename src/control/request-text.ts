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
  const contains = (part: string | null) => part?.toLowerCase().includes(text) ?? false
  const { request, response, explanation } = entry
  const { method, path, query } = request
  const line = `${method} ${path}${query === null ? '' : `?${query}`}`
  return (
    [line, request.body, response.body, response.code].some(contains) ||
    explanation.some(contains) ||
    [request, response].some(({ headers }) =>
      Object.entries(headers).some(([name, value]) => contains(`${name}: ${value}`)),
    )
  )
}
