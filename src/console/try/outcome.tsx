import { CodeBlock } from '../parts/code-block.js'
import { HeaderList } from '../parts/header-list.js'
import { indentJson } from '../parts/indent-json.js'
import { StatusMark } from '../parts/status-mark.js'
import type { Outcome } from './send-request.js'

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
      <HeaderList headers={headers} />
      {body !== '' && <CodeBlock text={indentJson(body)} what="body" />}
    </>
  )
}
