import { defineBodyTrial, toArray } from './put-scenario.js'

const pet = '{"petId":1.5,"name":5,"quantity":"x","status":"y","photoUrls":7,"tags":[1,2,3]}'

export const invalidPets = defineBodyTrial({
  name: 'invalid-pets',
  title:
    'Scenarios with 20,000 pets that are invalid in seven ways each, or that all have the same id.',
  full: 30,
  bodies: () => [
    `{"name":"a","pets":${toArray(20_000, () => pet)}}`,
    `{"name":"a","pets":${toArray(20_000, () => '{"petId":1,"name":"a"}')}}`,
  ],
})
