import { defineBodyTrial, toArray } from './put-scenario.js'

export const emptyObjects = defineBodyTrial({
  name: 'empty-objects',
  title:
    'Arrays of 2.7 million empty objects, in bodies of 8 MiB, at several places of a scenario.',
  full: 30,
  bodies: () => [
    toArray(2_700_000, () => '{}'),
    `{"name":"a","pets":${toArray(2_700_000, () => '{}')}}`,
    `{"name":"a","pets":[{"petId":1,"name":"a","x":${toArray(2_600_000, () => '{}')}}]}`,
  ],
})
