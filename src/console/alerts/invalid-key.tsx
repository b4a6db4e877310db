import { isLabel, parseApiKey } from '../../service/api-key.js'
import { planIds } from '../../service/plans.js'
import { Card } from '../parts/card.js'
import { useSession } from '../session/session.js'

/** The part of a key that is wrong; `form` if the key has no parts. */
type KeyPart = 'form' | 'plan' | 'scenario' | 'label'

/** Why a sandbox rejects a key. */
interface KeyProblem {
  readonly part: KeyPart
  /** Continues the sentence “The API key is not valid: …”. */
  readonly reason: string
  /** What the part could be, if the sandbox says it: `known: default, low-stock`. */
  readonly details?: string | undefined
}

/** The parts of a string that may be a key, separated by `_`. */
interface KeyParts {
  readonly plan: string
  readonly scenario: string | undefined
  readonly label: string | undefined
}

/** Splits a string that begins with `sbx_`; undefined for any other. */
export function splitKey(apiKey: string): KeyParts | undefined {
  const match = /^sbx_([^_]*)(?:_([^_]*))?(?:_(.*))?$/s.exec(apiKey)
  return match ? { plan: match[1] ?? '', scenario: match[2], label: match[3] } : undefined
}

/**
 * Explains why a sandbox has rejected a key.
 *
 * @param message The message of the sandbox. It has the reason if the form of the key is right.
 */
export function explainKey(apiKey: string, message: string): KeyProblem {
  const parts = splitKey(apiKey)
  if (!parts) return { part: 'form', reason: 'it does not begin with sbx_' }
  const { plan, scenario, label } = parts
  if (plan === 'revoked')
    return { part: 'plan', reason: 'it is revoked, like every sbx_revoked key' }
  if (planIds.every((id) => id !== plan)) {
    const found = plan === '' ? 'it has no plan' : `its plan ${quote(plan)} does not exist`
    return { part: 'plan', reason: `${found}; the plans are ${planIds.join(', ')}` }
  }
  if (parseApiKey(apiKey)) return explainRejection(message)
  if (label !== undefined && !isLabel(label)) {
    const reason = `its label ${quote(label)} must have 1 to 64 letters, digits or hyphens`
    return { part: 'label', reason }
  }
  return { part: 'scenario', reason: `its scenario ${quote(scenario ?? '')} must be in kebab-case` }
}

/** Explains why a key of the right form was rejected. */
function explainRejection(message: string): KeyProblem {
  // The beginning of the message shows the key, masked.
  const reason = message.replace(/^the API key \S+ /, '')
  if (/unknown scenario/.test(reason)) {
    const [found = reason, details = ''] = reason.split('; ')
    const nearest = /did you mean "[^"]+"\?/.exec(details)?.[0]
    return {
      part: 'scenario',
      reason: nearest ? `it ${found}, ${nearest.slice(0, -1)}` : `it ${found}`,
      details: /known: .*/.exec(details)?.[0],
    }
  }
  if (/not issued/.test(reason)) {
    return {
      part: 'label',
      reason:
        'its label was not signed by this sandbox, or with a secret that it does not use any more',
    }
  }
  return { part: 'form', reason: message }
}

function quote(text: string): string {
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`
}

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
