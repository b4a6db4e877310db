import { useEffect, useRef } from 'preact/hooks'
import { documentPaths, useDocuments } from '../documents/documents.js'
import { type View, viewIds, views } from '../routing/route.js'

/** The navigation between the views. */
export function Menu({ view }: { view: View }) {
  const { root } = useDocuments()
  const list = useRef<HTMLUListElement>(null)
  // Centres the current item on a narrow screen, where the menu scrolls. scrollIntoView would also
  // move the position from which the Tab key continues.
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>(`[href="#${view}"]`)
    if (!list.current || !current) return
    const centre = current.offsetLeft + current.offsetWidth / 2
    list.current.scrollLeft = centre - list.current.clientWidth / 2
  }, [view])
  return (
    <nav class="menu" aria-label="Views">
      <ul ref={list}>
        {viewIds.map((id) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === view ? 'page' : undefined}>
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
