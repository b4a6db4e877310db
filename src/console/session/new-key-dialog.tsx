import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type PlanId, planIds, plans } from '../../service/plans.js'
import { LoadFailure } from '../parts/failure-details.js'
import { defaultAccess } from './access.js'
import type { PageClient } from './client.js'
import { toFailure } from './failure.js'
import { useSession } from './session.js'
import { TokenField } from './token-field.js'
import { listScenarios, useLoaded } from './use-loaded.js'

/** Creates a key with a random label, or selects the shared key of a plan and a scenario. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { access, setAccess, client, act } = useSession()
  const dialog = useRef<HTMLDialogElement>(null)
  const [plan, setPlan] = useState<PlanId>('free')
  const [scenario, setScenario] = useState('default')
  const [failure, setFailure] = useState('')
  useLayoutEffect(() => dialog.current?.showModal(), [])

  const use = (apiKey: string) => {
    setAccess({ ...access, apiKey })
    onClose()
  }
  const shared = `sbx_${plan}_${scenario}`
  const create = () =>
    act('Created a key. Only clients that have it can use its world.', async () => {
      try {
        // The current key may be invalid.
        const issuer = client.withKey(defaultAccess.apiKey)
        use((await issuer.send('createKey', { body: { plan, scenario } })).apiKey)
      } catch (error) {
        // The dialog covers the notice of the page.
        setFailure(toFailure(error).message)
        throw error
      }
    })
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="new-key-title">
      <h2 id="new-key-title">New key</h2>
      <p>A key consists of a plan, the scenario of its world, and a label.</p>
      <PlanSelect plan={plan} onChange={setPlan} />
      <ScenarioSelect scenario={scenario} onChange={setScenario} />
      <TokenField />
      <p role="alert" class="bad">
        {failure}
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => void create()}>
          Create a private key
        </button>
        <button type="button" onClick={() => use(shared)}>
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
    </dialog>
  )
}

function PlanSelect(props: { plan: PlanId; onChange: (plan: PlanId) => void }) {
  const { requestsPerMinute, requestsPerDay } = plans[props.plan]
  return (
    <>
      <label class="field">
        Plan
        <select
          value={props.plan}
          onChange={({ currentTarget: { value } }) =>
            props.onChange(planIds.find((id) => id === value) ?? props.plan)
          }
        >
          {planIds.map((id) => (
            <option key={id} value={id}>
              {plans[id].title}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">
        {requestsPerMinute.toLocaleString('en')} requests a minute,{' '}
        {requestsPerDay.toLocaleString('en')} a day
      </p>
    </>
  )
}

/** Loads the scenarios, even if the current key is invalid. */
const loadScenarios = (client: PageClient) => listScenarios(client.withKey(defaultAccess.apiKey))

function ScenarioSelect(props: { scenario: string; onChange: (scenario: string) => void }) {
  const { value: scenarios = [], failure: loadFailure } = useLoaded(loadScenarios)
  return (
    <>
      <label class="field">
        Scenario
        <select
          value={props.scenario}
          onChange={(event) => props.onChange(event.currentTarget.value)}
        >
          {scenarios.length === 0 && <option>{props.scenario}</option>}
          {scenarios.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {loadFailure && <LoadFailure what="The scenarios" failure={loadFailure} />}
      <p class="hint two-lines">
        {scenarios.find(({ name }) => name === props.scenario)?.description}
      </p>
    </>
  )
}
