import { useEffect, useRef, useState } from 'preact/hooks'
import { documentPaths, useDocuments } from '../documents/documents.js'
import { type View, viewIds, views } from '../routing/route.js'

const listId = 'views'

/** The navigation between the views. On a phone, a button opens the list. */
export function Menu({ view }: { view: View }) {
  const { root } = useDocuments()
  const [isOpen, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLElement>(null)
  // A link to the current view changes nothing, so each click closes the list, too.
  useEffect(() => setOpen(false), [view])
  const close = () => {
    setOpen(false)
    toggle.current?.focus()
  }
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !menu.current?.contains(relatedTarget)) setOpen(false)
  }
  return (
    <nav
      ref={menu}
      class={isOpen ? 'menu open' : 'menu'}
      aria-label="Views"
      onKeyDown={(event) => isOpen && event.key === 'Escape' && close()}
      onFocusOut={onFocusOut}
    >
      <button
        ref={toggle}
        type="button"
        class="menu-toggle"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="unseen">View: </span>
        {views[view]}
      </button>
      <ul id={listId}>
        {viewIds.map((id) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === view ? 'page' : undefined}
              onClick={() => setOpen(false)}
            >
              {views[id]}
            </a>
          </li>
        ))}
        <li class="apart">
          <a href={root + documentPaths.service}>OpenAPI</a>
        </li>
      </ul>
    </nav>
  )
}
