/** The kind of a response, by which marks and charts are coloured. */
type ResponseKind = 'good' | 'warn' | 'limited' | 'bad' | 'soft'

/** Returns the kind of a response. Status 0 means that there was none. */
function toKind(status: number): ResponseKind {
  if (status === 0) return 'soft'
  if (status === 429) return 'limited'
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

/** A status in the colour of its kind. 0 means that a fault closed the connection. */
export function StatusMark({ status }: { status: number }) {
  return <span class={`status kind-${toKind(status)}`}>{status === 0 ? 'broken' : status}</span>
}
