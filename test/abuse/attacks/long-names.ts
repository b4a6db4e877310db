import { defineBodyTrial } from './put-scenario.js'

const long = 'a-'.repeat(4_000_000)
const digits = '1'.repeat(8_000_000)

export const longNames = defineBodyTrial({
  name: 'long-names',
  title: 'Names, ids and numbers of 8 million characters. None may cause an internal error.',
  full: 36,
  bodies: () => [
    `"${long}"`,
    `{"name":"${long}"}`,
    `{"name":"a","${long}":1}`,
    `{"name":"a","extends":"${long}"}`,
    `{"name":"a","quota":{"${long}":{}}}`,
    `{"name":"a","pets":[{"name":"a","petId":"${digits}"}]}`,
    `{"name":"a","pets":[{"name":"a","petId":${digits}}]}`,
    `{"name":"a","clock":{"now":"${digits}"}}`,
    `{"name":"a","apiKeys":[{"plan":"free","key":"${long}"}]}`,
  ],
})
