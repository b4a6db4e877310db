import { useEffect, useRef } from 'preact/hooks'
import { documentPaths, useDocuments } from '../documents/documents.js'
import { type View, viewIds, views } from '../routing/route.js'

/** The navigation between the views. */
export function Menu({ view }: { view: View }) {
  const { root } = useDocuments()
  const nav = useRef<HTMLElement>(null)
  // On a narrow screen the menu scrolls, and the current item may be outside of it.
  useEffect(() => {
    const current = nav.current?.querySelector(`[href="#${view}"]`)
    current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [view])
  return (
    <nav class="menu" aria-label="Views" ref={nav}>
      <ul>
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
