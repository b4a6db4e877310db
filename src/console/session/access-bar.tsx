import { useLayoutEffect, useState } from 'preact/hooks'
import { addresses, type Environment, environments } from '../../service/addresses.js'
import { isSendable } from '../../service/validation/options.js'
import { useDocuments } from '../documents/documents.js'
import { CopyButton } from '../parts/copy-button.js'
import { toFragment } from './access.js'
import { NewKeyDialog } from './new-key-dialog.js'
import { useSession } from './session.js'

/** Shows and changes the key and the environment of the page. */
export function AccessBar() {
  const { root } = useDocuments()
  const { access, setAccess } = useSession()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div class="actions">
      <KeyForm apiKey={access.apiKey} onSubmit={(apiKey) => setAccess({ ...access, apiKey })} />
      <button type="button" onClick={() => setChoosing(true)}>
        New key…
      </button>
      <EnvironmentSwitch
        chosen={access.environment}
        onChoose={(environment) => setAccess({ ...access, environment })}
      />
      <CopyButton
        text={`${root}/${toFragment(access)}`}
        label="Copy link"
        what="link to this world"
      />
      {isChoosing && <NewKeyDialog onClose={() => setChoosing(false)} />}
    </div>
  )
}

function KeyForm(props: { apiKey: string; onSubmit: (apiKey: string) => void }) {
  const [typed, setTyped] = useState(props.apiKey)
  useLayoutEffect(() => setTyped(props.apiKey), [props.apiKey])
  const apiKey = typed.trim()
  const submit = (event: Event) => {
    event.preventDefault()
    if (isSendable(apiKey)) props.onSubmit(apiKey)
  }
  return (
    <form class="actions" onSubmit={submit}>
      <label for="api-key">API key</label>
      <input
        id="api-key"
        class="code"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        pattern="\s*[!-~]+\s*"
        title={`${typed}: visible ASCII characters, such as sbx_free`}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
      />
      <button type="submit" disabled={apiKey === props.apiKey}>
        Use
      </button>
    </form>
  )
}

function EnvironmentSwitch(props: {
  chosen: Environment
  onChoose: (environment: Environment) => void
}) {
  return (
    <fieldset class="actions">
      <legend class="unseen">Environment</legend>
      {environments.map((environment) => (
        <label key={environment}>
          <input
            type="radio"
            name="environment"
            checked={environment === props.chosen}
            onChange={() => props.onChoose(environment)}
          />
          <span>{addresses[environment === 'staging' ? 'staging' : 'api'].title}</span>
        </label>
      ))}
    </fieldset>
  )
}
