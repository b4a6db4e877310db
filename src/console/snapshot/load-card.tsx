import { useState } from 'preact/hooks'
import { toFailure } from '../client/failure.js'
import { Card } from '../parts/card.js'
import { useSession } from '../session/session.js'

/** Starts the world from a scenario file. */
export function LoadCard() {
  const { act, client } = useSession()
  const [file, setFile] = useState<File>()
  const [flaw, setFlaw] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    if (!file) return
    setFlaw('')
    void act(`The world starts from ${file.name}.`, async () => {
      try {
        await client.putScenarioFile(await file.text())
      } catch (error) {
        setFlaw(toFailure(error).message)
        throw error
      }
    })
  }
  return (
    <Card title="Start from a scenario file">
      <p>
        Any scenario file will do, a snapshot or one of your own. One that does not fit is refused
        with the place of each flaw, and the world stays as it is.
      </p>
      <form class="field-row" onSubmit={submit}>
        <label for="scenario-file">File</label>
        <input
          id="scenario-file"
          type="file"
          accept=".json,application/json"
          required
          onChange={(event) => setFile(event.currentTarget.files?.[0])}
        />
        <button type="submit" class="primary">
          Start
        </button>
      </form>
      <p role="alert" class="bad">
        {flaw}
      </p>
    </Card>
  )
}
