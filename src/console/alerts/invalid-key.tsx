import { isLabel, parseApiKey } from '../../service/api-key.js'
import { planIds } from '../../service/plans.js'
import { Card } from '../parts/card.js'
import { useSession } from '../session/session.js'

/** What each part of a key is for. */
const meanings = {
  plan: `the limits of the key: ${planIds.join(', ')}`,
  scenario: 'optional: the state from which the world starts',
  label: 'optional: separates your world from that of other clients',
} as const

type KeyPart = keyof typeof meanings

const partNames = Object.keys(meanings) as KeyPart[] // the keys of a const table

/** Why a sandbox rejects a key. */
interface KeyProblem {
  /** The part of the key that is wrong; undefined if the key has no parts. */
  readonly part?: KeyPart
  /** Continues the sentence “The API key is not valid: …”. */
  readonly reason: string
  /** What the part could be, if the sandbox says it: `known: default, low-stock`. */
  readonly details?: string | undefined
}

/** Splits `sbx_plan_scenario_label`; undefined for a string that does not begin with `sbx_`. */
function splitKey(apiKey: string): Readonly<Record<KeyPart, string | undefined>> | undefined {
  const [prefix, plan, scenario, ...label] = apiKey.split('_')
  if (prefix !== 'sbx') return undefined
  return { plan, scenario, label: label.length > 0 ? label.join('_') : undefined }
}

/**
 * Explains why a sandbox has rejected a key.
 *
 * @param message The message of the sandbox. It has the reason if the form of the key is right.
 */
export function explainKey(apiKey: string, message: string): KeyProblem {
  const parts = splitKey(apiKey)
  if (!parts) return { reason: 'it does not begin with sbx_' }
  const { plan, scenario = '', label } = parts
  if (plan === 'revoked') {
    return { part: 'plan', reason: 'it is revoked, like every sbx_revoked key' }
  }
  if (!planIds.some((id) => id === plan)) {
    const found = plan ? `its plan ${quote(plan)} does not exist` : 'it has no plan'
    return { part: 'plan', reason: `${found}; the plans are ${planIds.join(', ')}` }
  }
  if (parseApiKey(apiKey)) return explainRejection(message)
  if (label !== undefined && !isLabel(label)) {
    const reason = `its label ${quote(label)} must have 1 to 64 letters, digits or hyphens`
    return { part: 'label', reason }
  }
  return { part: 'scenario', reason: `its scenario ${quote(scenario)} must be in kebab-case` }
}

/** Explains why a key of the right form was rejected. */
function explainRejection(message: string): KeyProblem {
  // The beginning of the message shows the key, masked.
  const reason = message.replace(/^the API key \S+ /, '')
  if (reason.includes('unknown scenario')) {
    const [found, hint = ''] = reason.split(/; |\?/)
    const nearest = hint.startsWith('did you mean') ? `, ${hint}` : ''
    const [details] = /known: .*/.exec(reason) ?? []
    return { part: 'scenario', reason: `it ${found}${nearest}`, details }
  }
  if (reason.includes('not issued')) {
    const unsigned = 'its label was not signed by this sandbox'
    return { part: 'label', reason: `${unsigned}, or with a secret that it does not use any more` }
  }
  return { reason: message }
}

function quote(text: string): string {
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`
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
        {partNames.map((name) => (
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
