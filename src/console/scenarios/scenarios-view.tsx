import { useState } from 'preact/hooks'
import { CopyAction } from '../copies/copy-test.js'
import { Card } from '../parts/card.js'
import { indentJson } from '../parts/indent-json.js'
import { saveFile } from '../parts/save-file.js'
import { useSession } from '../session/session.js'
import { useScenarios } from '../session/use-loaded.js'
import type { ScenarioDocument } from './document.js'
import { EditCard } from './edit-card.js'
import { ScenarioGrid } from './scenario-grid.js'
import type { Start } from './start.js'

/** Starts the world from a scenario, and shows its state as one. */
export function ScenariosView(props: { start: Start; document: ScenarioDocument }) {
  const { start, document } = props
  const scenarios = useScenarios()
  return (
    <>
      <ScenarioGrid scenarios={scenarios} start={start} />
      {/* Only below the whole list, so that it does not move. */}
      {(scenarios.value ?? scenarios.failure) && (
        <>
          <EditCard start={start} document={document} />
          <SaveCard />
        </>
      )}
    </>
  )
}

function SaveCard() {
  const { act, client } = useSession()
  const [name, setName] = useState('snapshot')
  const read = async () => {
    const { text } = await client.request('getSnapshot', { query: { name } })
    return `${indentJson(text)}\n`
  }
  const save = (event: Event) => {
    event.preventDefault()
    void act(`Saved ${name}.json.`, async () => saveFile(`${name}.json`, [await read()]))
  }
  return (
    <Card title="Save a snapshot">
      <p>
        A snapshot is a scenario file with the state of this world: data, clock, seed, quotas, bans,
        deprecation dates, faults and rules. A world that starts from it sends the same responses,
        for example in a test.
      </p>
      <form class="actions" onSubmit={save}>
        <label for="snapshot-name">Name</label>
        <input
          id="snapshot-name"
          class="code"
          value={name}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          title="kebab-case, such as exhausted-quota"
          required
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Save as {name}.json
        </button>
        <CopyAction label="Copy as JSON" what="the snapshot as JSON" create={read} />
      </form>
    </Card>
  )
}
