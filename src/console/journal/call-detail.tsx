import type { JournalRow } from '../client/shapes.js'
import { CodeBlock } from '../parts/code-block.js'
import { HeaderList } from '../parts/header-list.js'
import { indentJson } from '../parts/indent-json.js'
import { formatMoment } from '../parts/moment.js'

/** Why a call was answered as it was, what it changed, and what was sent and answered. */
export function CallDetail({ row }: { row: JournalRow }) {
  const { id, at, apiKey, environment, request, response, explanation, changes } = row
  return (
    <div class="detail">
      <p class="hint">
        Call {id}, {formatMoment(at)} UTC, {environment}, {apiKey ? `key ${apiKey}` : 'no key'}
      </p>
      <NearestOperation row={row} />
      <h3>Why</h3>
      <ol>
        {explanation.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      {changes.length > 0 && (
        <>
          <h3>Changed</h3>
          <CodeBlock
            text={changes.map((change) => JSON.stringify(change)).join('\n')}
            what="changes"
            isWrapped
          />
        </>
      )}
      {request.body && (
        <>
          <h3>Request body</h3>
          <CodeBlock text={indentJson(request.body)} what="request body" />
        </>
      )}
      <h3>Response headers</h3>
      <HeaderList headers={Object.entries(response.headers)} />
      {response.body && (
        <>
          <h3>Response body</h3>
          <CodeBlock text={indentJson(response.body)} what="response body" />
        </>
      )}
    </div>
  )
}

function NearestOperation({ row: { nearestOperation } }: { row: JournalRow }) {
  if (!nearestOperation) return null
  return (
    <p>
      Probably meant: <a href={`#${nearestOperation}`}>{nearestOperation}</a>
    </p>
  )
}
