import { defaultAccess } from '../session/access.js'
import { useSession } from '../session/session.js'
import { Card } from './card.js'

/** In place of a view whose key reaches no world. */
export function Refused() {
  const { access, setAccess, failure } = useSession()
  return (
    <Card title="This key reaches no world">
      <p>{capitalize(failure?.message ?? '')}.</p>
      <p>
        A key has the form <code>sbx_&lt;plan&gt;_&lt;scenario&gt;_&lt;label&gt;</code>; scenario
        and label may be left out. Choose one above with <b>New key…</b>, or go back to the usual
        one.
      </p>
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => setAccess({ ...access, apiKey: defaultAccess.apiKey })}
        >
          Use {defaultAccess.apiKey}
        </button>
        <button type="button" onClick={() => setAccess({ ...access })}>
          Try again
        </button>
      </div>
    </Card>
  )
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
