import { useMemo } from 'preact/hooks'
import type { Pet } from '../control-types.js'
import { useDocuments } from '../documents/documents.js'
import { type Cells, Clipped } from './cells.js'
import { createPetKind } from './record-kind.js'
import { RecordTable } from './record-table.js'
import type { Column } from './table.js'

/** The pets with their stock. */
export function PetTable() {
  const { petStatuses } = useDocuments().control
  const kind = useMemo(() => createPetKind(petStatuses), [petStatuses])
  return (
    <RecordTable
      kind={kind}
      toColumns={toColumns}
      initial={{ category: 'dog', quantity: '1', status: petStatuses[0] ?? '' }}
      empty="The store has no pets."
    />
  )
}

function toColumns({ toInput, toSelect }: Cells<Pet>): readonly Column<Pet>[] {
  return [
    {
      title: 'Id',
      class: 'code',
      isRowHeader: true,
      toCell: ({ petId }) => petId,
      toSortValue: ({ petId }) => petId,
    },
    {
      title: 'Name',
      toCell: (pet) => toInput(pet, 'name'),
      toSortValue: ({ name }) => name,
    },
    {
      title: 'Category',
      toCell: ({ category }) => <Clipped text={category} />,
      toSortValue: ({ category }) => category,
    },
    {
      title: 'Quantity',
      toCell: (pet) => toInput(pet, 'quantity'),
      toSortValue: ({ quantity }) => quantity,
    },
    {
      title: 'Status',
      toCell: (pet) => toSelect(pet, 'status'),
      toSortValue: ({ status }) => status,
    },
  ]
}
