import { addresses } from '../../service/addresses.js'
import { documentPaths, useDocuments } from '../documents/documents.js'
import { Card } from '../parts/card.js'
import { CopyButton } from '../parts/copy-button.js'

const places: readonly { title: string; path: string }[] = [
  ...Object.values(addresses).map(({ title, httpPath }) => ({ title, path: httpPath })),
  { title: 'OpenAPI document', path: documentPaths.service },
  { title: 'OpenAPI 3.0 document', path: documentPaths.service30 },
  { title: 'OpenAPI document of the control API', path: documentPaths.control },
]

/** The URLs of the service, the control API and the OpenAPI documents. */
export function AddressCard() {
  const { root } = useDocuments()
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
