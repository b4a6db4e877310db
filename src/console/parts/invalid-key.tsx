import { defaultAccess } from '../session/access.js'
import { useSession } from '../session/session.js'
import { Card } from './card.js'

/** Shown instead of a view of the world if the key is invalid. */
export function InvalidKey() {
  const { access, setAccess, failure } = useSession()
  return (
    <Card title="Invalid API key">
      <p>{capitalize(failure?.message ?? '')}.</p>
      <p>
        A key has the form <code>sbx_&lt;plan&gt;_&lt;scenario&gt;_&lt;label&gt;</code>. The
        scenario and the label are optional. Select a key with <b>New key…</b>, or use the default
        key.
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
