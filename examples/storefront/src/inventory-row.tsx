import { useState } from 'preact/hooks'
import { Notice } from './notice.js'
import type { InventoryItem, PetStore } from './service.js'

interface InventoryRowProps {
  readonly store: PetStore
  readonly item: InventoryItem
  readonly name: string
  readonly isPaused: boolean
  readonly onChange: (item: InventoryItem) => void
  readonly report: (error: unknown) => boolean
}

export function InventoryRow({ store, item, name, isPaused, ...shop }: InventoryRowProps) {
  const [draft, setDraft] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const { petId, status, quantity } = item

  const save = async (event: Event) => {
    event.preventDefault()
    try {
      shop.onChange(await store.setQuantity(petId, Number(draft)))
      setDraft(undefined)
      setProblem(undefined)
    } catch (error) {
      setProblem(shop.report(error) ? undefined : error)
    }
  }

  return (
    <>
      <tr>
        <th scope="row">
          {name} <small>No. {petId}</small>
        </th>
        <td>
          <span class={`status ${status}`}>{status}</span>
        </td>
        <td>
          <form onSubmit={save}>
            <input
              type="number"
              required
              aria-label={`Stock of ${name}`}
              value={draft ?? quantity}
              onInput={(event) => setDraft(event.currentTarget.value)}
            />
            <button
              type="submit"
              disabled={isPaused || draft === undefined || Number(draft) === quantity}
            >
              Save
            </button>
          </form>
        </td>
      </tr>
      {problem !== undefined && (
        <tr class="failed">
          <td colSpan={3}>
            <Notice problem={problem} />
          </td>
        </tr>
      )}
    </>
  )
}
