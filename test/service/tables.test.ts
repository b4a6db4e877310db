import { describe, expect, test } from 'vitest'
import { type Assumption, assumptions } from '../../src/service/assumptions.js'
import { errorTexts } from '../../src/service/error-texts.js'
import { allErrorCodes, type ErrorBody, errorCodes, Problem } from '../../src/service/errors.js'
import { allHeaderDetails } from '../../src/service/openapi/responses.js'
import {
  type OperationId,
  operationIds,
  operations,
} from '../../src/service/operations/operations.js'
import { plans } from '../../src/service/plans.js'
import { errorsByOperation } from '../support/operations.js'

describe('the error catalogue', () => {
  test.each(allErrorCodes)(
    '%s is snake_case and has an error status, a meaning and an example',
    (code) => {
      const { status } = errorCodes[code]
      const { meaning, example } = errorTexts[code]
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
      expect(meaning).toMatch(/^[A-Z].*\.$/)
      expect(example).toMatch(/^\S.*[^.\s]$/)
    },
  )

  test.each(allErrorCodes)(
    'a Problem with the code %s has the body of spec §2 and the status of the catalogue',
    (code) => {
      const body: ErrorBody = new Problem(code, 'why').toBody()
      expect(body).toEqual({ code, message: 'why', status: errorCodes[code].status })
    },
  )
})

describe.each(operationIds)('the definition of %s', (id) => {
  const { assumptions: named } = operations[id]
  const errors = errorsByOperation[id] ?? []

  test('names assumptions that exist, each once', () => {
    expect(Object.keys(assumptions)).toEqual(expect.arrayContaining([...named]))
    expect(new Set(named).size).toBe(named.length)
  })

  test('names each error once', () => {
    expect(new Set(errors).size).toBe(errors.length)
  })

  test('documents 401 and 429: "all operations" (spec §7)', () => {
    expect(toStatuses(id)).toEqual(expect.arrayContaining([401, 429]))
  })
})

test('updateInventory documents the errors 400, 401 and 404 of spec §4.2', () => {
  expect(toStatuses('updateInventory')).toEqual(expect.arrayContaining([400, 401, 404]))
})

test('sendMessage documents the errors 401 and 400 of spec §4.4', () => {
  expect(toStatuses('sendMessage')).toEqual(expect.arrayContaining([400, 401]))
})

test.each(Object.entries<Assumption>(assumptions))(
  'assumption %s states what is open and what is chosen',
  (id, { open, chosen }) => {
    expect(id).toMatch(/^A\d\d$/)
    expect(open).not.toBe('')
    expect(chosen).not.toBe('')
  },
)

test('the plans are those of spec §8', () => {
  expect(plans).toMatchObject({
    free: { title: 'Free', requestsPerMinute: 60, requestsPerDay: 1_000 },
    pro: { title: 'Pro', requestsPerMinute: 300, requestsPerDay: 10_000 },
    business: { title: 'Business', requestsPerMinute: 1_000, requestsPerDay: 100_000 },
    enterprise: { title: 'Enterprise' },
  })
})

test.each(Object.entries(allHeaderDetails))(
  'the header %s has a meaning, the responses that carry it and a valid example',
  (name, { meaning, on, example }) => {
    expect(name).toMatch(/^[A-Z][A-Za-z]*(-[A-Z][A-Za-z]*)*$/)
    expect(meaning).toMatch(/^[A-Z].*[^.]$/)
    expect(on).toMatch(/^\S.*[^.]$/)
    expect(String(example)).not.toBe('')
  },
)

function toStatuses(id: OperationId): number[] {
  return (errorsByOperation[id] ?? []).map((code) => errorCodes[code].status)
}
