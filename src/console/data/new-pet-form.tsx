import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Pet } from '../client/control-types.js'
import { useDocuments } from '../documents/documents.js'
import { useSession } from '../session/session.js'

const initial = { petId: '', name: '', category: 'dog', quantity: '1', status: 'available' }

/** A form that adds a pet. The id is sent as a string, so that an id beyond 2^53−1 stays exact. */
export function NewPetForm({ pets }: { pets: readonly Pet[] }) {
  const { act, client } = useSession()
  const { control } = useDocuments()
  const [form, setForm] = useState(initial)
  const nextPetId = String(findFreePetId(pets))
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { ...form, petId: form.petId || nextPetId, quantity: Number(form.quantity) }
    if (await act(`Added ${form.name}.`, () => client.send('addPet', { body }))) setForm(initial)
  }
  const bind = (name: keyof typeof initial) => ({
    value: form[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setForm({ ...form, [name]: currentTarget.value }),
  })
  return (
    <form class="grid-form" onSubmit={(event) => void submit(event)}>
      <Field label="Id">
        <input class="code" pattern="0|-?[1-9][0-9]*" placeholder={nextPetId} {...bind('petId')} />
      </Field>
      <Field label="Name">
        <input required {...bind('name')} />
      </Field>
      <Field label="Category">
        <input required {...bind('category')} />
      </Field>
      <Field label="Quantity">
        <input type="number" min="0" required {...bind('quantity')} />
      </Field>
      <Field label="Status">
        <select {...bind('status')}>
          {control.petStatuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </Field>
      <button type="submit">Add a pet</button>
    </form>
  )
}

function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children.
    <label class="field">
      {label}
      {children}
    </label>
  )
}

/** Returns the highest numeric id plus one; 1 if no pet has a positive id. */
export function findFreePetId(pets: readonly Pick<Pet, 'petId'>[]): number {
  const ids = pets.map(({ petId }) => petId).filter((id) => typeof id === 'number')
  return ids.reduce((highest, id) => Math.max(highest, id), 0) + 1
}
