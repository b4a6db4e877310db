import { useState } from 'preact/hooks'
import { addresses } from '../../service/addresses.js'
import { documentPaths, useDocuments } from '../documents/documents.js'
import type { ServiceOperation } from '../documents/service.js'
import { FaultCard, useFaults } from '../faults/fault-card.js'
import { FaultPresets } from '../faults/presets.js'
import { SentResult } from '../journal/entry-detail.js'
import { Card } from '../parts/card.js'
import { CodeBlock } from '../parts/code-block.js'
import { CopyButton } from '../parts/copy-button.js'
import { formatDuration, Time } from '../parts/time.js'
import { type Start, UndoBar } from '../scenarios/start.js'
import { useSession } from '../session/session.js'
import { useRunningClock } from '../session/use-running-clock.js'
import { findBaseUrl, type Outcome, sendRequest, toCurl, toRequest } from '../try/request.js'
import { ClockCard } from './clock-card.js'
import { QuotaCard } from './quota-card.js'

/** The state of the world with its controls, then what a client needs to reach it. */
export function OverviewView({ start }: { start: Start }) {
  const { overview } = useSession()
  return (
    <>
      <div class="columns" aria-busy={!overview}>
        <div>
          <QuotaCard />
          <ScenarioSummaryCard start={start} />
        </div>
        <div>
          <ClockCard />
          <FaultSummaryCard />
        </div>
      </div>
      <FirstRequest />
      <div class="columns">
        <DeprecationCard />
        <AddressCard />
      </div>
    </>
  )
}

/** The active scenario. */
function ScenarioSummaryCard({ start }: { start: Start }) {
  const { overview } = useSession()
  return (
    <Card title="Scenario" aside={<strong class="mark">{overview?.scenario ?? '…'}</strong>}>
      <div class="actions">
        <button type="button" onClick={() => void start.reset()}>
          Reset this world
        </button>
        <a class="button" href="#scenarios">
          Start another scenario
        </a>
      </div>
      <UndoBar start={start} />
    </Card>
  )
}

/** The faults of the world. */
function FaultSummaryCard() {
  const { control } = useDocuments()
  const faults = useFaults()
  return (
    <FaultCard faults={faults} kinds={control.faultKinds}>
      <FaultPresets faults={faults.value} />
      <p>
        <a href="#faults">All kinds of fault</a>
      </p>
    </FaultCard>
  )
}

/** The dates of the deprecated operation (A05, A21). */
function DeprecationCard() {
  const dates = useSession().overview?.deprecation
  const nowMs = useRunningClock() ?? 0
  const operation = useDocuments().service.operations.find(({ isDeprecated }) => isDeprecated)
  if (!operation) return null
  const leftMs = dates ? Date.parse(dates.sunsetAt) - nowMs : 0
  const end = dates?.afterSunset === 'serve' ? 'served as before' : '410 operation_gone'
  return (
    <Card title={`Deprecation of ${operation.id}`} aside={<a href={`#${operation.id}`}>Try it</a>}>
      <dl class="facts">
        <dt>Deprecated</dt>
        <dd>{dates ? <Time at={dates.deprecatedAt} /> : '…'}</dd>
        <dt>Sunset</dt>
        <dd>
          {dates ? <Time at={dates.sunsetAt} /> : '…'}{' '}
          <span>{dates && (leftMs > 0 ? `(in ${formatDuration(leftMs)})` : '(past)')}</span>
        </dd>
        <dt>After the sunset</dt>
        <dd>{dates ? end : '…'}</dd>
      </dl>
    </Card>
  )
}

const places: readonly { title: string; path: string }[] = [
  ...Object.values(addresses).map(({ title, httpPath }) => ({ title, path: httpPath })),
  { title: 'OpenAPI document', path: documentPaths.service },
  { title: 'OpenAPI 3.0 document', path: documentPaths.service30 },
  { title: 'OpenAPI document of the control API', path: documentPaths.control },
]

/** The URLs of the service, the control API and the OpenAPI documents. */
function AddressCard() {
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

/** What a client needs, and an example request that can be sent or copied. */
function FirstRequest() {
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
