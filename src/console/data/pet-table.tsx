import type { ControlClient } from '../client/client.js'
import type { PetRow } from '../client/shapes.js'
import { useSession } from '../session/session.js'
import { useLoaded } from '../session/use-loaded.js'
import { NewPetForm } from './new-pet-form.js'
import { PagedTable } from './paged-table.js'
import { QuantityInput } from './quantity-input.js'
import { StatusSelect } from './status-select.js'
import { petStatuses } from './statuses.js'

const load = (client: ControlClient) => client.pets()

/** The pets with their stock, to be changed in their place. */
export function PetTable() {
  const { value: pets } = useLoaded(load)
  return (
    <PagedTable
      title="Pets"
      rows={pets}
      columns={['Id', 'Name', 'Category', 'Quantity', 'Status', '']}
      empty="The store has no pets."
      toText={({ petId, name, category, status }) => `${petId} ${name} ${category} ${status}`}
      toRow={(pet) => <PetLine key={pet.petId} pet={pet} />}
    >
      <NewPetForm pets={pets ?? []} />
    </PagedTable>
  )
}

function PetLine({ pet: { petId, name, category, quantity, status } }: { pet: PetRow }) {
  const { act, client } = useSession()
  const change = (fields: Partial<PetRow>) =>
    void act(`${name} is changed.`, () => client.changePet(petId, fields))
  return (
    <tr>
      <td class="code">{petId}</td>
      <th scope="row">{name}</th>
      <td>{category}</td>
      <td>
        <QuantityInput
          name={name}
          quantity={quantity}
          onChange={(to) => change({ quantity: to })}
        />
      </td>
      <td>
        <StatusSelect
          name={name}
          status={status}
          statuses={petStatuses}
          onChange={(to) => change({ status: to })}
        />
      </td>
      <td class="end">
        <button
          type="button"
          aria-label={`Remove ${name}`}
          onClick={() => void act(`${name} is removed.`, () => client.removePet(petId))}
        >
          Remove
        </button>
      </td>
    </tr>
  )
}
