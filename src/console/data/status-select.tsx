/** A status that can be changed in its place. */
export function StatusSelect(props: {
  name: string
  status: string
  statuses: readonly string[]
  onChange: (status: string) => void
}) {
  return (
    <select
      aria-label={`Status of ${props.name}`}
      value={props.status}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    >
      {props.statuses.map((status) => (
        <option key={status}>{status}</option>
      ))}
    </select>
  )
}
