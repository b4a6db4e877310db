/** Tabs of which one is selected. The arrow keys select the next or the previous one. */
export function TabList<Id extends string>(props: {
  /** Titles by id, in order. */
  tabs: Readonly<Record<Id, string>>
  selected: Id
  onSelect: (id: Id) => void
}) {
  const { tabs, selected, onSelect } = props
  const ids = Object.keys(tabs) as Id[] // the keys of the record
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = (ids.indexOf(selected) + step + ids.length) % ids.length
    onSelect(ids[at] ?? selected)
    event.currentTarget.querySelectorAll('button')[at]?.focus()
  }
  return (
    <div class="tab-list" role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
      {ids.map((id) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={id === selected}
          tabIndex={id === selected ? 0 : -1}
          onClick={() => onSelect(id)}
        >
          {tabs[id]}
        </button>
      ))}
    </div>
  )
}
