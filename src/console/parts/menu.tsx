import { type View, viewIds, views } from '../routing/route.js'

/** The menu of the page. */
export function Menu({ view }: { view: View }) {
  return (
    <nav class="menu" aria-label="Views">
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
