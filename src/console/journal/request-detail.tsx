import type { ComponentChildren } from 'preact'
import type { JournalEntry } from '../control-types.js'
import { namePart } from '../copies/sent-request.js'
import { CodeBlock } from '../parts/code-block.js'
import { HeaderList, type HeaderMeanings } from '../parts/header-list.js'
import { indentJson } from '../parts/indent-json.js'
import { Time } from '../parts/time.js'
import { showShortKeys } from '../session/failure.js'

/** What a page adds to the details of each entry. */
export interface EntryParts {
  /** Shows the id of an operation. Default: the id as code. */
  renderOperation?(id: string): ComponentChildren
  renderActions?(entry: JournalEntry): ComponentChildren
  /** Default: none. */
  readonly headerMeanings?: HeaderMeanings
}

/** The request and the response of a journal entry, and why it was sent. */
export function RequestDetail(props: {
  entry: JournalEntry
  parts: EntryParts
  /** Whether the id of the entry is shown above its details. */
  isNumbered?: boolean
}) {
  const { entry, parts, isNumbered } = props
  const { id, requestId, at, apiKey, environment, request, response, explanation } = entry
  const { nearestOperation: nearest, changes, incomplete } = entry
  const query = request.query === null ? '' : `?${request.query}`
  return (
    <div class="detail">
      <p class="hint">
        {!isNumbered && `Request ${id}, `}
        <Time at={at} /> UTC, {environment}, {apiKey ? `key ${showShortKeys(apiKey)}` : 'no key'},
        request id <code>{requestId}</code>
      </p>
      {parts.renderActions?.(entry)}
      {nearest && <p>Did you mean {parts.renderOperation?.(nearest) ?? <code>{nearest}</code>}?</p>}
      <h3>Explanation</h3>
      <ol>
        {explanation.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ol>
      {changes.length > 0 && (
        <>
          <h3>Changes</h3>
          <CodeBlock
            text={changes.map((change) => JSON.stringify(change)).join('\n')}
            what="changes"
          />
        </>
      )}
      {incomplete.length > 0 && (
        <p class="hint">
          Truncated, masked or not recorded: {incomplete.map(namePart).join(', ')}.
        </p>
      )}
      <h3>Request</h3>
      <p class="code">
        {request.method} {request.path}
        {query}
      </p>
      <HeaderList headers={Object.entries(request.headers)} meanings={parts.headerMeanings} />
      <Body title="Request body" body={request.body} />
      <h3>Response</h3>
      <p class="code">
        {response.status === 0 ? 'no response' : response.status}
        {response.aborted && ', the client disconnected'}
      </p>
      <HeaderList headers={Object.entries(response.headers)} meanings={parts.headerMeanings} />
      {Object.keys(response.headers).length === 0 && response.status > 0 && (
        <p class="hint">
          The key is shared, so the sandbox does not show headers and bodies of its requests.
        </p>
      )}
      <Body title="Response body" body={response.body} />
    </div>
  )
}

function Body({ title, body }: { title: string; body: string | null }) {
  if (!body) return null
  return (
    <>
      <h3>{title}</h3>
      <CodeBlock text={indentJson(body)} what={title.toLowerCase()} />
    </>
  )
}
