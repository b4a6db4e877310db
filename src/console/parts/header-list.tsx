/** What each header means, by its name in lower case. */
export type HeaderMeanings = ReadonlyMap<string, string>

const noMeanings: HeaderMeanings = new Map()

/** The headers of a response: first those with a meaning, which is their tooltip. */
export function HeaderList(props: {
  headers: readonly (readonly [string, string])[]
  /** Default: none. */
  meanings?: HeaderMeanings | undefined
}) {
  const { headers, meanings = noMeanings } = props
  const sorted = headers.toSorted(([a], [b]) => Number(meanings.has(b)) - Number(meanings.has(a)))
  return (
    <dl class="headers">
      {sorted.map(([name, value]) => (
        <div
          key={name}
          class={meanings.has(name) ? 'documented' : undefined}
          title={meanings.get(name)}
        >
          <dt>{name}: </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
