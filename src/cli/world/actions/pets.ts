import type { z } from 'zod'
import {
  addPet,
  changePet,
  listPets,
  type petStateSchema,
  removePet,
} from '../../../control/pets.js'
import type { Paint } from '../../colour.js'
import { readFields, readId } from '../read-argument.js'
import type { WorldAction } from '../runner.js'
import { type Column, toTable } from '../text/columns.js'

type Pet = z.output<typeof petStateSchema>

const columns: readonly Column<Pet>[] = [
  { title: 'PETID', cell: ({ petId }) => String(petId), isNumber: true },
  { title: 'QUANTITY', cell: ({ quantity }) => String(quantity), isNumber: true },
  { title: 'STATUS', cell: ({ status }) => status },
  { title: 'CATEGORY', cell: ({ category }) => category },
  { title: 'NAME', cell: ({ name }) => name },
]

export const showPets: WorldAction = async ({ client, print }) => {
  print(await client.send(listPets), toPetsText)
}

export const addOnePet: WorldAction = async ({ client, print }, { args }) => {
  print(await client.send(addPet, { body: await readFields(args) }), toPetText)
}

export const changeOnePet: WorldAction = async ({ client, print }, { args: [id, ...fields] }) => {
  const params = { petId: readId('petId', id) }
  print(await client.send(changePet, { params, body: await readFields(fields) }), toPetText)
}

export const removeOnePet: WorldAction = async ({ client, print }, { args: [id] }) => {
  print(await client.send(removePet, { params: { petId: readId('petId', id) } }), toPetText)
}

function toPetsText(pets: readonly Pet[], paint: Paint): string {
  return toTable(pets, columns, paint, 'pets')
}

function toPetText(pet: Pet, paint: Paint): string {
  return toPetsText([pet], paint)
}
