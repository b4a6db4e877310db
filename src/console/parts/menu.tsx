import { useEffect, useRef } from 'preact/hooks'
import { type View, viewIds, views } from '../routing/route.js'

/** The menu of the page. */
export function Menu({ view }: { view: View }) {
  const nav = useRef<HTMLElement>(null)
  // On a narrow screen the menu scrolls, and where the page is may stand outside.
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
          <a href="/openapi.json">OpenAPI</a>
        </li>
      </ul>
    </nav>
  )
}
