import { CodeBlock } from '../parts/code-block.js'
import { HeaderList } from '../parts/header-list.js'
import { headerMeanings } from '../parts/header-meanings.js'
import { indentJson } from '../parts/indent-json.js'
import { StatusMark } from '../parts/status-mark.js'
import type { Outcome } from './request.js'

/** The response of the latest request: status, headers and body. */
export function OutcomeView({ outcome }: { outcome: Outcome | undefined }) {
  return (
    <div class="outcome" role="status" aria-label="Response">
      {outcome ? <Response outcome={outcome} /> : <p class="hint">The response appears here.</p>}
    </div>
  )
}

function Response({ outcome: { status, headers, body, failure } }: { outcome: Outcome }) {
  return (
    <>
      {status !== undefined && (
        <p>
          <StatusMark status={status} />
        </p>
      )}
      {failure && <p class="bad">{failure}</p>}
      <HeaderList headers={headers} meanings={headerMeanings} />
      {body !== '' && <CodeBlock text={indentJson(body)} what="body" />}
    </>
  )
}
