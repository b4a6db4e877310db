import { headerDetails } from '../../openapi/headers.js'

const meanings = new Map(
  Object.entries(headerDetails).map(([name, { meaning }]) => [name.toLowerCase(), meaning]),
)

/** The headers of an answer: those that the contract documents first, each with its meaning. */
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
