import { useState } from 'preact/hooks'
import type { PetRow } from '../client/shapes.js'
import { useSession } from '../session/session.js'
import { findFreePetId, petStatuses } from './statuses.js'

const initial = { petId: '', name: '', category: 'dog', quantity: '1', status: 'available' }

/** Adds a pet; an id past 2^53−1 goes out as its digits, as the sandbox takes it. */
export function NewPetForm({ pets }: { pets: readonly PetRow[] }) {
  const { act, client } = useSession()
  const [form, setForm] = useState(initial)
  const free = String(findFreePetId(pets))
  const submit = async (event: Event) => {
    event.preventDefault()
    const pet = { ...form, petId: form.petId || free, quantity: Number(form.quantity) }
    if (await act(`${form.name} is added.`, () => client.addPet(pet))) setForm(initial)
  }
  const input = (name: keyof typeof initial) => ({
    value: form[name],
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      setForm({ ...form, [name]: event.currentTarget.value }),
  })
  return (
    <form class="grid-form" onSubmit={(event) => void submit(event)}>
      <label class="field">
        Id
        <input class="code" pattern="0|-?[1-9][0-9]*" placeholder={free} {...input('petId')} />
      </label>
      <label class="field">
        Name
        <input required {...input('name')} />
      </label>
      <label class="field">
        Category
        <input required {...input('category')} />
      </label>
      <label class="field">
        Quantity
        <input type="number" min="0" required {...input('quantity')} />
      </label>
      <label class="field">
        Status
        <select
          value={form.status}
          onChange={(event) => setForm({ ...form, status: event.currentTarget.value })}
        >
          {petStatuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </label>
      <button type="submit">Add a pet</button>
    </form>
  )
}
