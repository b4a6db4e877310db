import { defineBodyTrial, toArray, toObject } from './put-scenario.js'

const fields = (count: number) => toObject(count, (index) => `"f${index}":0`).slice(1, -1)

export const manyFields = defineBodyTrial({
  name: 'many-fields',
  title:
    'Scenarios of 6 to 8 MiB whose pets have additional fields: 700,000 in one pet, 6,900 in each of 100 pets, or 25 in each of 20,000 pets, with names of their own.',
  full: 30,
  bodies: () => [
    `{"name":"a","pets":[{"petId":1,"name":"a",${fields(700_000)}}]}`,
    `{"name":"a","pets":${toArray(100, (index) => `{"petId":${index},"name":"a",${fields(6_900)}}`)}}`,
    `{"name":"a","pets":${toArray(20_000, (index) => `{"petId":${index},"name":"a",${toObject(25, (field) => `"g${index}-${field}":0`).slice(1, -1)}}`)}}`,
  ],
})
