import { defineBodyTrial, toObject } from './put-scenario.js'

const unknown = toObject(100_000, (index) => `"k${index}":0`)

export const unknownKeys = defineBodyTrial({
  name: 'unknown-keys',
  title: 'Scenarios with 100,000 unknown fields, at the top, in a pet and in the clock.',
  full: 30,
  bodies: () => [
    unknown,
    `{"name":"a","pets":[${unknown}]}`,
    `{"name":"a","clock":${unknown},"rules":${unknown},"plans":${unknown}}`,
  ],
})
