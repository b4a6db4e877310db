import { addresses } from '../../contract/addresses.js'
import { Card } from '../parts/card.js'
import { CopyButton } from '../parts/copy-button.js'
import { root } from '../session/session.js'

const places: readonly { title: string; path: string }[] = [
  ...Object.values(addresses).map(({ title, httpPath }) => ({ title, path: httpPath })),
  { title: 'OpenAPI document', path: '/openapi.json' },
  { title: 'OpenAPI document of the control API', path: '/openapi.sandbox.json' },
]

/** Where clients find the service, and the control API. */
export function AddressCard() {
  return (
    <Card title="Addresses">
      <ul class="lines">
        {places.map(({ title, path }) => (
          <li key={path}>
            <span>
              {title}
              <code class="block">{root + path}</code>
            </span>
            <CopyButton text={root + path} what={`address: ${title}`} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
