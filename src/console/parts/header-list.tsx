import { documentedHeaders } from '../../contract/headers.js'
import { useDocuments } from '../documents/documents.js'

const documented = new Set<string>(documentedHeaders.map((name) => name.toLowerCase()))

/** The headers of a response: first the documented ones, with their meaning as a tooltip. */
export function HeaderList({ headers }: { headers: readonly (readonly [string, string])[] }) {
  const { service } = useDocuments()
  const sorted = headers.toSorted(
    ([a], [b]) => Number(documented.has(b)) - Number(documented.has(a)),
  )
  return (
    <dl class="headers">
      {sorted.map(([name, value]) => (
        <div
          key={name}
          class={documented.has(name) ? 'documented' : undefined}
          title={service.headers.get(name)}
        >
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
