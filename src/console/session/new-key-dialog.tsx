import { useEffect, useRef, useState } from 'preact/hooks'
import { type PlanId, plans } from '../../contract/plans.js'
import { useSession } from './session.js'
import { useScenarios } from './use-scenarios.js'

/** Chooses a plan and a scenario: for a key that all share, or one that nobody can guess. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { access, setAccess, client, act } = useSession()
  const scenarios = useScenarios()
  const dialog = useRef<HTMLDialogElement>(null)
  const [plan, setPlan] = useState<PlanId>('free')
  const [scenario, setScenario] = useState('default')
  useEffect(() => dialog.current?.showModal(), [])

  const use = (apiKey: string) => {
    setAccess({ ...access, apiKey })
    onClose()
  }
  const shared = `sbx_${plan}_${scenario}`
  const makeOwn = () =>
    act('A key of your own is made: only who has it reaches its world.', async () => {
      use((await client.createKey(plan, scenario)).apiKey)
    })
  const description = scenarios.find(({ name }) => name === scenario)?.description
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="new-key-title">
      <h2 id="new-key-title">New key</h2>
      <p>The key names its world: its plan, the scenario that it starts from, and a label.</p>
      <label class="field">
        Plan
        <select value={plan} onChange={(event) => setPlan(event.currentTarget.value as PlanId)}>
          {Object.entries(plans).map(([id, { title, requestsPerMinute, requestsPerDay }]) => (
            <option key={id} value={id}>
              {title}: {requestsPerMinute.toLocaleString('en')} a minute,{' '}
              {requestsPerDay.toLocaleString('en')} a day
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Scenario
        <select value={scenario} onChange={(event) => setScenario(event.currentTarget.value)}>
          {scenarios.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <p class="hint two-lines">{description}</p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => void makeOwn()}>
          Make a key of my own
        </button>
        <button type="button" onClick={() => use(shared)}>
          Use {shared}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
      <p class="hint">
        A key of your own has a label that nobody can guess. All who use <code>{shared}</code> share
        one world.
      </p>
    </dialog>
  )
}
