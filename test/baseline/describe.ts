import type { Exchange } from './exchange.js'
import type { Sequence } from './sequence.js'

const maximumLength = 1_500

/**
 * Describes a difference: the requests in their order, and what both builds did with the last one.
 *
 * @param released The exchanges of the release. Before the last one, they are those of both builds.
 */
export function describeDifference(
  { start, access }: Sequence,
  released: readonly Exchange[],
  present: Exchange | undefined,
): string {
  const last = released.at(-1)
  const requests = released.map((exchange, index) => `${index + 1}. ${toRequest(exchange)}`)
  return [
    `The shortest sequence that differs, with ${JSON.stringify({ scenario: start, access })}:`,
    ...requests,
    `released: ${last && toResponse(last)}`,
    `present: ${present ? toResponse(present) : 'no exchange'}`,
    last && present ? describeFirst(toResponse(last, whole), toResponse(present, whole)) : '',
  ].join('\n\n')
}

function toRequest({ request, response }: Exchange): string {
  if (typeof request === 'string') return shorten(request)
  const { method, target, headers, body } = request
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${shorten(value)}`)
  const content = body ? [shorten(Buffer.from(body).toString())] : []
  return [`${method} ${target}`, ...lines, ...content, `=> ${response.status}`].join('\n   ')
}

function toResponse({ response, entries, delays }: Exchange, show = shorten): string {
  const { status, headers, body, failure } = response
  return [
    status,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    show(Buffer.from(body, 'latin1').toString()),
    ...(failure === undefined ? [] : [`failure: ${failure}`]),
    ...entries.map((entry) => `journal entry: ${show(entry)}`),
    ...(delays.length === 0 ? [] : [`delays: ${delays.join(', ')} ms`]),
  ].join('\n   ')
}

/** Shows the first characters that differ, with those around them. */
function describeFirst(released: string, present: string): string {
  let at = 0
  while (at < released.length && released[at] === present[at]) at += 1
  const excerpt = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  return `first difference:\n   released ${excerpt(released)}\n   present  ${excerpt(present)}`
}

const whole = (text: string) => text

function shorten(text: string): string {
  return text.length <= maximumLength
    ? text
    : `${text.slice(0, maximumLength)}… (${text.length} characters)`
}
