/** A link that opens a journal entry in the journal. */
export function EntryLink({ id, class: name }: { id: number; class?: string }) {
  return (
    <a class={name} href={`#request-${id}`}>
      {name === 'button' ? 'Show the request' : `request ${id}`}
    </a>
  )
}
