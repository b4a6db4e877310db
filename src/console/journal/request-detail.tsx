import type { ComponentChildren } from 'preact'
import type { JournalEntry } from '../client/control-types.js'
import { CodeBlock } from '../parts/code-block.js'
import { HeaderList } from '../parts/header-list.js'
import { indentJson } from '../parts/indent-json.js'
import { formatTimestamp } from '../parts/time.js'

/** What a page adds to the details of each entry. */
export interface EntryParts {
  /** Shows the id of an operation. Default: the id as code. */
  renderOperation?(id: string): ComponentChildren
  renderActions?(entry: JournalEntry): ComponentChildren
}

/** The explanation, changes, bodies and response headers of a journal entry. */
export function RequestDetail(props: { entry: JournalEntry; parts: EntryParts | undefined }) {
  const { entry, parts } = props
  const { id, at, apiKey, environment, request, response, explanation } = entry
  const headers = Object.entries(response.headers)
  return (
    <div class="detail">
      <p class="hint">
        Request {id}, {formatTimestamp(at)} UTC, {environment},{' '}
        {apiKey ? `key ${apiKey}` : 'no key'}
      </p>
      {parts?.renderActions?.(entry)}
      <NearestOperation id={entry.nearestOperation} parts={parts} />
      <h3>Explanation</h3>
      <ol>
        {explanation.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <Changes changes={entry.changes} />
      <Body title="Request body" body={request.body} />
      {headers.length > 0 && (
        <>
          <h3>Response headers</h3>
          <HeaderList headers={headers} />
        </>
      )}
      {headers.length === 0 && response.status > 0 && (
        <p class="hint">
          The key is shared, so the sandbox does not show headers and bodies of its requests.
        </p>
      )}
      <Body title="Response body" body={response.body} />
    </div>
  )
}

function NearestOperation(props: { id: string | null; parts: EntryParts | undefined }) {
  const { id, parts } = props
  if (!id) return null
  return <p>Did you mean {parts?.renderOperation?.(id) ?? <code>{id}</code>}?</p>
}

function Changes({ changes }: Pick<JournalEntry, 'changes'>) {
  if (changes.length === 0) return null
  const text = changes.map((change) => JSON.stringify(change)).join('\n')
  return (
    <>
      <h3>Changes</h3>
      <CodeBlock text={text} what="changes" isWrapped />
    </>
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
