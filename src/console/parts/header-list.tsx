import { headerDetails } from '../../contract/header-details.js'

/** The meaning of each documented header, by its name in lower case. */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries(headerDetails).map(([name, { meaning }]) => [name.toLowerCase(), meaning]),
)

/** The headers of a response: first the documented ones, with their meaning as a tooltip. */
export function HeaderList({ headers }: { headers: readonly (readonly [string, string])[] }) {
  const sorted = headers.toSorted(([a], [b]) => Number(meanings.has(b)) - Number(meanings.has(a)))
  return (
    <dl class="headers">
      {sorted.map(([name, value]) => (
        <div
          key={name}
          class={meanings.has(name) ? 'documented' : undefined}
          title={meanings.get(name)}
        >
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
