import { headerDetails } from '../../contract/openapi-headers.js'
import { CodeBlock } from '../parts/code-block.js'
import { indentJson } from '../parts/indent-json.js'
import { StatusMark } from '../parts/status-mark.js'
import type { Outcome } from './send-request.js'

const meanings = new Map(
  Object.entries(headerDetails).map(([name, { meaning }]) => [name.toLowerCase(), meaning]),
)

/** An answer: its status, its headers with the documented ones first, and its body. */
export function OutcomePart({ outcome }: { outcome: Outcome | undefined }) {
  return (
    <div class="outcome" role="status" aria-label="Answer">
      {outcome ? <Answer outcome={outcome} /> : <p class="hint">The answer shows here.</p>}
    </div>
  )
}

function Answer({ outcome: { status, headers, body, failure } }: { outcome: Outcome }) {
  return (
    <>
      {status !== undefined && (
        <p>
          <StatusMark status={status} />
        </p>
      )}
      {failure && <p class="bad">{failure}</p>}
      <dl class="headers">
        {sortHeaders(headers).map(([name, value]) => (
          <div
            key={name}
            class={meanings.has(name) ? 'documented' : undefined}
            title={meanings.get(name)}
          >
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {body !== '' && <CodeBlock text={indentJson(body)} what="body" />}
    </>
  )
}

function sortHeaders(headers: Outcome['headers']): Outcome['headers'] {
  return headers.toSorted(([a], [b]) => Number(meanings.has(b)) - Number(meanings.has(a)))
}
