import { useRef, useState } from 'preact/hooks'
import { Card } from '../parts/card.js'
import { copyText } from '../parts/copy-button.js'
import { indentJson } from '../parts/indent-json.js'
import { saveFile } from '../parts/save-file.js'
import { useSession } from '../session/session.js'
import { useScenarios } from '../session/use-loaded.js'
import { EditCard } from './edit-card.js'
import { ScenarioGrid } from './scenario-grid.js'
import { useStart } from './start.js'

/** Starts the world from a scenario, and shows its state as one. */
export function ScenariosView() {
  const start = useStart()
  const scenarios = useScenarios()
  /** Whether the height of the list has been known once. What is below it is shown from then on. */
  const isPlaced = useRef(false)
  isPlaced.current ||= Boolean(scenarios.value ?? scenarios.failure)
  return (
    <>
      <ScenarioGrid scenarios={scenarios} start={start} />
      {isPlaced.current && (
        <>
          <EditCard start={start} />
          <SaveCard />
        </>
      )}
    </>
  )
}

function SaveCard() {
  const { act, notify, client } = useSession()
  const [name, setName] = useState('snapshot')
  const read = async () => {
    const { text } = await client.request('getSnapshot', { query: { name } })
    return `${indentJson(text)}\n`
  }
  const save = (event: Event) => {
    event.preventDefault()
    void act(`Saved ${name}.json.`, async () => saveFile(`${name}.json`, [await read()]))
  }
  const copy = async () => {
    try {
      const text = await read()
      await copyText(text).catch(() => {
        throw new Error('the browser blocks the clipboard; save the file instead')
      })
      notify('Copied the snapshot as JSON.')
    } catch (error) {
      notify(`Not copied: ${error instanceof Error ? error.message : error}.`, 'error')
    }
  }
  return (
    <Card title="Save a snapshot">
      <p>
        A snapshot is a scenario file with the state of this world: data, clock, seed, quotas, bans,
        deprecation dates, faults and rules. A world that starts from it sends the same responses,
        for example in a test.
      </p>
      <form class="field-row" onSubmit={save}>
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
        <button type="button" onClick={() => void copy()}>
          Copy as JSON
        </button>
      </form>
    </Card>
  )
}
