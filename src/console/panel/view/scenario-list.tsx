import { useLayoutEffect, useRef } from 'preact/hooks'
import { Card } from '../../parts/card.js'
import { LoadFailure } from '../../parts/failure-details.js'
import { useSession } from '../../session/session.js'
import { useScenarios } from '../../session/use-loaded.js'

/** Starts the world from a scenario with one click, or resets it. */
export function ScenarioList({ running }: { running: string | undefined }) {
  const { act, client } = useSession()
  const { value: scenarios = [], failure } = useScenarios()
  const list = useRef<HTMLUListElement>(null)
  // Scrolls only the list. The number of scenarios is a dependency because they are loaded later.
  useLayoutEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current="true"]')
    if (list.current && current) list.current.scrollTop = current.offsetTop - list.current.offsetTop
  }, [running, scenarios.length])
  const start = (name: string) =>
    act(`Started ${name}.`, () => client.send('putScenario', { body: [name] }))
  const reset = () => act(`Reset to the start of ${running}.`, () => client.send('resetWorld'))
  return (
    <Card
      title="Scenario"
      aside={
        <button type="button" onClick={() => void reset()}>
          Reset
        </button>
      }
    >
      {failure && <LoadFailure what="The scenarios" failure={failure} />}
      <ul class="scenarios" ref={list}>
        {scenarios.map(({ name, description }) => (
          <li key={name}>
            <button type="button" aria-current={name === running} onClick={() => void start(name)}>
              <b>{name}</b>
              <span class="hint">{description}</span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
