import { useState } from 'preact/hooks'
import { Card } from '../parts/card.js'
import { indentJson } from '../parts/indent-json.js'
import { useSession } from '../session/session.js'
import { saveFile } from './save-file.js'

/** Writes the world down as a scenario file. */
export function SaveCard() {
  const { act, client } = useSession()
  const [name, setName] = useState('snapshot')
  const submit = (event: Event) => {
    event.preventDefault()
    void act(`Saved ${name}.json.`, async () => {
      saveFile(`${name}.json`, `${indentJson(await client.snapshot(name))}\n`)
    })
  }
  return (
    <Card title="Write this world down">
      <p>
        A snapshot is a scenario file: data, clock, seed, quotas, bans, dates, faults and rules. A
        world that starts from it answers the same, so what you see here can become a test.
      </p>
      <form class="field-row" onSubmit={submit}>
        <label for="snapshot-name">Name</label>
        <input
          id="snapshot-name"
          class="code"
          value={name}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          title="kebab-case, such as spent-quota"
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
