import { useState } from 'preact/hooks'
import { toFailure } from '../client/failure.js'
import { Card } from '../parts/card.js'
import { indentJson } from '../parts/indent-json.js'
import { useSession } from '../session/session.js'

/** Saves the world as a scenario file, or starts it from one. */
export function SnapshotView() {
  return (
    <>
      <SaveCard />
      <LoadCard />
    </>
  )
}

function SaveCard() {
  const { act, client } = useSession()
  const [name, setName] = useState('snapshot')
  const submit = (event: Event) => {
    event.preventDefault()
    void act(`Saved ${name}.json.`, async () => {
      const response = await client.request('getSnapshot', { query: { name } })
      saveFile(`${name}.json`, `${indentJson(await response.text())}\n`)
    })
  }
  return (
    <Card title="Save a snapshot">
      <p>
        A snapshot is a scenario file with the state of this world: data, clock, seed, quotas, bans,
        deprecation dates, faults and rules. A world that starts from it sends the same responses,
        for example in a test.
      </p>
      <form class="field-row" onSubmit={submit}>
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
      </form>
    </Card>
  )
}

function LoadCard() {
  const { start, failure } = useStart()
  const [file, setFile] = useState<File>()
  const submit = (event: Event) => {
    event.preventDefault()
    if (file) start(file)
  }
  return (
    <Card title="Start from a scenario file">
      <p>
        Select a snapshot or another scenario file. The sandbox rejects an invalid file with the
        position of each error, and the world does not change.
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
        {failure}
      </p>
    </Card>
  )
}

/** Returns a function that starts the world from a file, and its error message; empty for none. */
function useStart(): { start: (file: File) => void; failure: string } {
  const { act, client } = useSession()
  const [failure, setFailure] = useState('')
  const start = (file: File) => {
    setFailure('')
    void act(`The world started from ${file.name}.`, async () => {
      try {
        await client.send('putScenario', { json: await file.text() })
      } catch (error) {
        setFailure(toFailure(error).message)
        throw error
      }
    })
  }
  return { start, failure }
}

/** Downloads a string as a file. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
