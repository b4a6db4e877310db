import { useState } from 'preact/hooks'
import type { Pet } from '../client/control-types.js'
import { useDocuments } from '../documents/documents.js'
import { NewPetForm } from './new-pet-form.js'
import type { Column } from './paged-table.js'
import { type ChangeRecord, type RecordKind, RecordTable } from './record-table.js'

const pets: RecordKind<Pet> = {
  list: (client) => client.send('listPets'),
  change: (client, { petId }, body) => client.send('changePet', { params: { petId }, body }),
  remove: (client, { petId }) => client.send('removePet', { params: { petId } }),
  toKey: ({ petId }) => petId,
  toName: ({ name }) => name,
  toText: ({ petId, name, category, status }) => `${petId} ${name} ${category} ${status}`,
}

/** The pets with their stock. */
export function PetTable() {
  const { control } = useDocuments()
  return (
    <RecordTable
      title="Pets"
      kind={pets}
      toColumns={toColumns}
      statuses={control.petStatuses}
      empty="The store has no pets."
      toFooter={(rows) => <NewPetForm pets={rows} />}
    />
  )
}

function toColumns(change: ChangeRecord<Pet>): readonly Column<Pet>[] {
  return [
    { title: 'Id', class: 'code', toCell: ({ petId }) => petId },
    { title: 'Name', isRowHeader: true, toCell: ({ name }) => name },
    { title: 'Category', toCell: ({ category }) => category },
    {
      title: 'Quantity',
      toCell: (pet) => (
        <QuantityInput pet={pet} onChange={(quantity) => change(pet, { quantity })} />
      ),
    },
  ]
}

/** Keeps the typed text until it is submitted or the input loses focus, even if the pet changes. */
function QuantityInput(props: { pet: Pet; onChange: (quantity: number) => void }) {
  const { name, quantity } = props.pet
  const [typed, setTyped] = useState<string>()
  const submit = (input: HTMLInputElement) => {
    if (typed === undefined) return
    if (input.value !== '' && input.reportValidity()) props.onChange(Number(input.value))
    setTyped(undefined)
  }
  return (
    <input
      type="number"
      class="quantity"
      min="0"
      step="1"
      aria-label={`Quantity of ${name}`}
      value={typed ?? quantity}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && submit(currentTarget)}
      onBlur={(event) => submit(event.currentTarget)}
    />
  )
}
