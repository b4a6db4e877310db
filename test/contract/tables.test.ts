import { describe, expect, test } from 'vitest'
import { type Assumption, assumptions } from '../../src/contract/assumptions.js'
import { type ErrorBody, type ErrorCode, errorCodes, Problem } from '../../src/contract/errors.js'
import { documentedHeaders } from '../../src/contract/headers.js'
import { type OperationContract, operationIds, operations } from '../../src/operations/operations.js'
import { plans } from '../../src/contract/plans.js'
import { headerDetails } from '../../src/openapi/headers.js'

const codes = Object.keys(errorCodes) as ErrorCode[]

describe('the error catalogue', () => {
  test.each(codes)('%s is snake_case, has an error status and says what it means', (code) => {
    const { status, meaning } = errorCodes[code]
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(meaning).toMatch(/^[A-Z].*\.$/)
  })

  test.each(codes)(
    'a Problem of %s has the body of spec §2, with the status of the catalogue',
    (code) => {
      const body: ErrorBody = new Problem(code, 'why').toBody()
      expect(body).toEqual({ code, message: 'why', status: errorCodes[code].status })
    },
  )
})

describe.each(operationIds)('the row of %s', (id) => {
  const contract: OperationContract = operations[id]

  test('names assumptions that exist, each once', () => {
    expect(Object.keys(assumptions)).toEqual(expect.arrayContaining([...contract.assumptions]))
    expect(new Set(contract.assumptions).size).toBe(contract.assumptions.length)
  })

  test('names each error once', () => {
    expect(new Set(contract.errors).size).toBe(contract.errors.length)
  })

  test('has 401 and 429: "all operations" (spec §7)', () => {
    const statuses = contract.errors.map((code) => errorCodes[code].status)
    expect(statuses).toEqual(expect.arrayContaining([401, 429]))
  })
})

test('updateInventory has the errors 400, 401 and 404 of spec §4.2', () => {
  const statuses = operations.updateInventory.errors.map((code) => errorCodes[code].status)
  expect(statuses).toEqual(expect.arrayContaining([400, 401, 404]))
})

test('sendMessage has the errors 401 and 400 of spec §4.4', () => {
  const statuses = operations.sendMessage.errors.map((code) => errorCodes[code].status)
  expect(statuses).toEqual(expect.arrayContaining([400, 401]))
})

test.each(Object.entries<Assumption>(assumptions))(
  'assumption %s says what is open and what is chosen',
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

test('every documented header is described', () => {
  expect(Object.keys(headerDetails).toSorted()).toEqual([...documentedHeaders].toSorted())
})
