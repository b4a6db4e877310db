import { useState } from 'preact/hooks'
import { readMessage } from '../client/read-message.js'
import { Card } from '../parts/card.js'
import { CodeBlock } from '../parts/code-block.js'
import { StatusMark } from '../parts/status-mark.js'
import { root, useSession } from '../session/session.js'
import { toCurl } from '../try/curl.js'
import { toRequest } from '../try/real-request.js'
import { type Outcome, sendRequest } from '../try/send-request.js'

const nothing = { parameters: {}, body: undefined, code: '', wait: '' }

/** The shortest way to see the sandbox answer: one request, ready to be sent or copied. */
export function FirstRequest() {
  const { access } = useSession()
  const [outcome, setOutcome] = useState<Outcome>()
  const request = toRequest(root, 'listInventory', access, nothing)
  return (
    <Card title="Call it now" class="first">
      <CodeBlock text={toCurl(request)} what="curl line" isWrapped />
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => void sendRequest(request).then(setOutcome)}
        >
          Send it from here
        </button>
        <a class="button" href="#try">
          All five operations
        </a>
        <p role="status" class="hint grow">
          {outcome ? <Result outcome={outcome} /> : 'What arrives shows in the journal at once.'}
        </p>
      </div>
    </Card>
  )
}

function Result({ outcome }: { outcome: Outcome }) {
  if (outcome.status === undefined) return <>{outcome.failure}</>
  return (
    <>
      <StatusMark status={outcome.status} /> {describeOutcome(outcome)}
    </>
  )
}

function describeOutcome({ status, headers, body, failure }: Outcome): string {
  if (failure !== undefined) return failure
  if (status !== 200) return readMessage(body) ?? body
  const remaining = headers.find(([name]) => name === 'x-ratelimit-remaining')?.[1]
  const entries = body.match(/"petId"/g)?.length ?? 0
  return `${entries} stock entries; ${remaining} requests left in the window`
}
