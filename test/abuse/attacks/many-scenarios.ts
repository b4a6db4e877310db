import { defineBodyTrial, toArray } from './put-scenario.js'

export const manyScenarios = defineBodyTrial({
  name: 'many-scenarios',
  title:
    'Arrays of up to 60,000 tiny scenarios, in bodies of 1 MiB. Merging them takes quadratic time if each of them adds a field.',
  full: 60,
  bodies: () => [
    toArray(60_000, () => '{"name":"a"}'),
    toArray(20_000, (index) => `{"name":"a","quota":{"${index.toString(36)}":{}}}`),
  ],
})
