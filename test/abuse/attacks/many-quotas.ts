import { defineBodyTrial, toArray, toObject } from './put-scenario.js'

const key = (index: number) => `acme-key-${index}`

export const manyQuotas = defineBodyTrial({
  name: 'many-quotas',
  title: 'Scenarios with 100,000 entries in `quota` or 20,000 entries in `apiKeys` and `quota`.',
  full: 30,
  bodies: () => [
    `{"name":"a","quota":${toObject(100_000, (index) => `"${key(index)}":{"minute":{"used":1}}`)}}`,
    `{"name":"a","apiKeys":${toArray(20_000, (index) => `{"plan":"free","key":"${key(index)}"}`)},` +
      `"quota":${toObject(20_000, (index) => `"${key(index)}":{"minute":{"used":1}}`)}}`,
  ],
})
