import { useState } from 'preact/hooks'
import { useDocuments } from '../documents/documents.js'
import type { ServiceOperation } from '../documents/service.js'
import { SentResult } from '../journal/entry-detail.js'
import { Card } from '../parts/card.js'
import { CodeBlock } from '../parts/code-block.js'
import { CopyButton } from '../parts/copy-button.js'
import { useSession } from '../session/session.js'
import { findBaseUrl, type Outcome, sendRequest, toCurl, toRequest } from '../try/request.js'

/** What a client needs, and an example request that can be sent or copied. */
export function FirstRequest() {
  const { service } = useDocuments()
  const { access } = useSession()
  const [outcome, setOutcome] = useState<Outcome>()
  const operation = service.operations.find(needsNoInput)
  if (!operation) return null
  const request = toRequest(operation, access)
  const baseUrl = findBaseUrl(operation, access.environment)?.url ?? ''
  return (
    <Card title="Send a request" class="first">
      <p>
        This sandbox behaves like the Pet Store Inventory Service. Point your client at it, send
        requests, and see here why each one received its response.
      </p>
      <dl class="client-settings">
        <Setting name="Base URL" what="base URL" value={baseUrl} />
        <Setting name="API key" what="key" value={access.apiKey} />
      </dl>
      <CodeBlock text={toCurl(request)} what="curl command" />
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => void sendRequest(request).then(setOutcome)}
        >
          Send it from here
        </button>
        <a class="button" href="#try">
          All {service.operations.length} operations
        </a>
        <p role="status" class="hint grow">
          {outcome ? (
            <SentResult outcome={outcome} />
          ) : (
            'The journal shows each request immediately.'
          )}
        </p>
      </div>
    </Card>
  )
}

function Setting({ name, what, value }: { name: string; what: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="actions">
        <code>{value}</code>
        <CopyButton text={value} what={what} />
      </dd>
    </div>
  )
}

function needsNoInput({ method, parameters }: ServiceOperation): boolean {
  return method === 'GET' && parameters.every(({ isRequired }) => !isRequired)
}
