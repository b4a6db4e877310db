import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { addresses, type Environment, environments } from '../../service/addresses.js'
import { planIds, plans } from '../../service/plans.js'
import { isSendable } from '../../service/validation/options.js'
import { useDocuments } from '../documents/documents.js'
import { CopyButton } from '../parts/copy-button.js'
import { LoadFailure } from '../parts/load-failure.js'
import { defaultAccess, toFragment } from './access.js'
import type { PageClient } from './client.js'
import { TokenField } from './control-denied.js'
import { toFailure } from './failure.js'
import { useSession } from './session.js'
import { listScenarios, useLoaded } from './use-loaded.js'

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

/** Loads the scenarios, even if the current key is invalid. */
const loadScenarios = (client: PageClient) => listScenarios(client.withKey(defaultAccess.apiKey))

/** Creates a key with a random label, or selects the shared key of a plan and a scenario. */
function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { access, setAccess } = useSession()
  const dialog = useRef<HTMLDialogElement>(null)
  const [planId, setPlanId] = useState('free')
  const [scenario, setScenario] = useState('default')
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const scenarios = useLoaded(loadScenarios)
  const plan = planIds.find((id) => id === planId) ?? 'free'
  const { requestsPerMinute, requestsPerDay } = plans[plan]
  const found = scenarios.value?.find(({ name }) => name === scenario)
  const use = (apiKey: string) => {
    setAccess({ ...access, apiKey })
    onClose()
  }
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="new-key-title">
      <h2 id="new-key-title">New key</h2>
      <p>A key consists of a plan, the scenario of its world, and a label.</p>
      <Select label="Plan" value={plan} onChange={setPlanId}>
        {planIds.map((id) => (
          <option key={id} value={id}>
            {plans[id].title}
          </option>
        ))}
      </Select>
      <p class="hint">
        {requestsPerMinute.toLocaleString('en')} requests a minute,{' '}
        {requestsPerDay.toLocaleString('en')} a day
      </p>
      <Select label="Scenario" value={scenario} onChange={setScenario}>
        {(scenarios.value ?? [{ name: scenario }]).map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      {scenarios.failure && <LoadFailure what="The scenarios" failure={scenarios.failure} />}
      <p class="hint two-lines">{found?.description}</p>
      <TokenField />
      <KeyButtons plan={plan} scenario={scenario} onUse={use} onClose={onClose} />
    </dialog>
  )
}

function Select(props: {
  label: string
  value: string
  onChange: (value: string) => void
  children: ComponentChildren
}) {
  const { label, value, onChange, children } = props
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {children}
      </select>
    </label>
  )
}

function KeyButtons(props: {
  plan: keyof typeof plans
  scenario: string
  onUse: (apiKey: string) => void
  onClose: () => void
}) {
  const { plan, scenario, onUse, onClose } = props
  const { client, notify } = useSession()
  const [failure, setFailure] = useState('')
  const shared = `sbx_${plan}_${scenario}`
  const create = async () => {
    try {
      // The current key may be invalid.
      const issuer = client.withKey(defaultAccess.apiKey)
      onUse((await issuer.send('createKey', { body: { plan, scenario } })).apiKey)
      notify('Created a key. Only clients that have it can use its world.')
    } catch (error) {
      setFailure(toFailure(error).message)
    }
  }
  return (
    <>
      <p role="alert" class="bad">
        {failure}
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => void create()}>
          Create a private key
        </button>
        <button type="button" onClick={() => onUse(shared)}>
          Use {shared}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
      <p class="hint">
        A private key has a random label. All clients that use <code>{shared}</code> share one
        world. A public sandbox may not let them change it.
      </p>
    </>
  )
}
