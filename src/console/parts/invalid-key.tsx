import { planIds } from '../../service/plans.js'
import { explainKey, type KeyPart, splitKey } from '../alerts/explain-key.js'
import { useSession } from '../session/session.js'
import { Card } from './card.js'

const meanings: Record<Exclude<KeyPart, 'form'>, string> = {
  plan: `the limits of the key: ${planIds.join(', ')}`,
  scenario: 'optional: the state from which the world starts',
  label: 'optional: separates your world from that of other clients',
}

/** Shown instead of a view of the world if the key is invalid: which of its parts is wrong. */
export function InvalidKey() {
  const { access, failure } = useSession()
  const { part, reason, details } = explainKey(access.apiKey, failure?.message ?? '')
  const parts = splitKey(access.apiKey)
  return (
    <Card title="Invalid API key">
      <p>
        <code>{access.apiKey}</code> reaches no world, because {reason}. A key has the form{' '}
        <code>sbx_&lt;plan&gt;_&lt;scenario&gt;_&lt;label&gt;</code>.
      </p>
      <dl class="facts key-parts">
        {(['plan', 'scenario', 'label'] as const).map((name) => (
          <div key={name} class={name === part ? 'wrong' : undefined}>
            <dt>{name}</dt>
            <dd>
              <code>{parts?.[name] ?? '–'}</code> {name === part && <b class="bad">wrong</b>}
              <span class="hint block">
                {meanings[name]}
                {name === part && details && `; ${details}`}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
