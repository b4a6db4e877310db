import { useState } from 'preact/hooks'
import { FaultCard, useFaults } from '../../faults/fault-card.js'
import { ClockCard } from '../../overview/clock-card.js'
import { QuotaCard } from '../../overview/quota-card.js'
import { Card } from '../../parts/card.js'
import { LoadFailure } from '../../parts/load-failure.js'
import { useSession } from '../../session/session.js'
import { useScenarios } from '../../session/use-loaded.js'
import { faultTitles, QuickFaults } from './quick-faults.js'

/** The controls of the world. */
export function ControlView() {
  const faults = useFaults()
  return (
    <>
      <FaultCard faults={faults} kinds={faultTitles}>
        <QuickFaults faults={faults.value} />
      </FaultCard>
      <QuotaCard />
      <ClockCard />
      <ScenarioList />
    </>
  )
}

/** Starts the world from a scenario with one click, or resets it. */
function ScenarioList() {
  const { act, client, overview } = useSession()
  const running = overview?.scenario
  const { value: scenarios = [], failure } = useScenarios()
  const [filter, setFilter] = useState('')
  const matches = (text: string) => text.toLowerCase().includes(filter.trim().toLowerCase())
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
      <input
        type="search"
        aria-label="Filter the scenarios"
        placeholder="Filter"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <ul class="scenarios">
        {scenarios
          .filter((each) => matches(`${each.name} ${each.description}`))
          .map(({ name, description }) => (
            <li key={name}>
              <button
                type="button"
                aria-current={name === running}
                onClick={() => void start(name)}
              >
                <b>{name}</b>
                <span class="hint block">{description}</span>
              </button>
            </li>
          ))}
      </ul>
    </Card>
  )
}
