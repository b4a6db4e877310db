/** A status, coloured by its class. 0 means that a fault closed the connection. */
export function StatusMark({ status }: { status: number }) {
  const kind = status === 0 ? 'broken' : `class-${Math.floor(status / 100)}`
  return <span class={`status ${kind}`}>{status === 0 ? 'broken' : status}</span>
}
