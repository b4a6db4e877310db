import { defineBodyTrial, toArray } from './put-scenario.js'

const note = 'x'.repeat(330)

export const largeScenarios = defineBodyTrial({
  name: 'large-scenarios',
  title:
    'Valid scenarios of 7 MiB with 20,000 pets, and scenarios that request 20,000 generated pets and orders, four at the same time.',
  full: 40,
  parallel: 4,
  bodies: () => [
    `{"name":"a","pets":${toArray(20_000, (index) => `{"petId":${index},"name":"a","note":"${note}"}`)}}`,
    '{"name":"a","generate":{"pets":20000,"orders":20000}}',
  ],
})
