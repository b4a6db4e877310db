import { documentPaths, useDocuments } from '../documents/documents.js'
import { type View, viewIds, views } from '../routing/route.js'

/** The navigation between the views. */
export function Menu({ view }: { view: View }) {
  const { root } = useDocuments()
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
          <a href={root + documentPaths.service}>OpenAPI</a>
        </li>
      </ul>
    </nav>
  )
}
