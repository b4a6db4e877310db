import { useEffect, useState } from 'preact/hooks'
import {
  type AddressId,
  addresses,
  type Environment,
  environments,
} from '../../contract/addresses.js'
import { CopyButton } from '../parts/copy-button.js'
import { isSendable } from './access.js'
import { toFragment } from './access-link.js'
import { NewKeyDialog } from './new-key-dialog.js'
import { root, useSession } from './session.js'

/** Which key and environment the page shows, and how to change them. */
export function AccessBar() {
  const { access, setAccess } = useSession()
  const [typed, setTyped] = useState(access.apiKey)
  const [isChoosing, setChoosing] = useState(false)
  useEffect(() => setTyped(access.apiKey), [access.apiKey])

  const apiKey = typed.trim()
  const isOther = apiKey !== access.apiKey
  const submit = (event: Event) => {
    event.preventDefault()
    if (isSendable(apiKey)) setAccess({ ...access, apiKey })
  }
  return (
    <div class="access">
      <form class="field-row" onSubmit={submit}>
        <label for="api-key">API key</label>
        <input
          id="api-key"
          class="code"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
          pattern="\s*[!-~]+\s*"
          title="visible ASCII characters, such as sbx_free"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <button type="submit" disabled={!isOther}>
          Use
        </button>
        <button type="button" onClick={() => setChoosing(true)}>
          New key…
        </button>
        <CopyButton
          text={`${root}/${toFragment(access)}`}
          label="Copy link"
          what="link to this world"
        />
      </form>
      <EnvironmentSwitch
        chosen={access.environment}
        onChoose={(environment) => setAccess({ ...access, environment })}
      />
      {isChoosing && <NewKeyDialog onClose={() => setChoosing(false)} />}
    </div>
  )
}

const apiAddresses: Record<Environment, AddressId> = { production: 'api', staging: 'staging' }

function EnvironmentSwitch(props: { chosen: Environment; onChoose: (one: Environment) => void }) {
  return (
    <fieldset class="switch">
      <legend class="unseen">Environment</legend>
      {environments.map((environment) => (
        <label key={environment}>
          <input
            type="radio"
            name="environment"
            checked={environment === props.chosen}
            onChange={() => props.onChoose(environment)}
          />
          <span>{addresses[apiAddresses[environment]].title}</span>
        </label>
      ))}
    </fieldset>
  )
}
