import { describe, expect, test, vi } from 'vitest'
import { operations } from '../../src/service/operations/operations.js'
import { Faults } from '../../src/world/faults/faults.js'
import { toFaultCode } from '../../src/world/faults/response.js'
import {
  describeFault,
  type FaultInput,
  faultKinds,
  faultSchema,
} from '../../src/world/faults/schema.js'
import { Random } from '../../src/world/random.js'
import { plainRequest, takeEffects } from '../support/faults.js'

function createFaults(faults: readonly FaultInput[] = [], seed = 1) {
  const random = new Random(seed)
  const created = new Faults(() => random)
  created.set(faults)
  return { faults: created, random }
}

const delay = { type: 'delay', delayMs: 5 } as const
const reset = { type: 'reset' } as const

describe('Faults', () => {
  test('take combines delays and truncations with the faults after them', () => {
    const { faults } = createFaults([
      delay,
      { type: 'truncate' },
      delay,
      { type: 'status', status: 500 },
    ])
    const types = takeEffects(faults, 'getPet').map((effect) => effect !== 'pass' && effect.type)
    expect(types).toEqual(['delay', 'truncate', 'delay', 'status'])
  })

  test('take reads the body only for a fault that matches it, and after everything else', () => {
    const json = vi.fn(() => ({ quantity: 5 }))
    const request = { ...plainRequest, petId: '7', json }
    const { faults } = createFaults([
      { ...reset, operation: 'updateInventory', match: { petId: 8, body: { quantity: 5 } } },
      { ...reset, operation: 'updateInventory', match: { headers: { a: 'b' }, body: {} } },
      { ...reset, match: { petId: 8 } },
    ])
    expect(takeEffects(faults, 'updateInventory', request)).toEqual([])
    expect(json).not.toHaveBeenCalled()
    faults.add({ ...reset, match: { petId: 7, body: { quantity: 5 } } })
    expect(takeEffects(faults, 'updateInventory', request)).toHaveLength(1)
    expect(json).toHaveBeenCalledOnce()
  })

  test.each([
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: null }, {}, false],
    [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2, d: 3 }] } }, true],
    [{ a: [1] }, { a: [1, 2] }, false],
    [{ a: [1] }, { a: { 0: 1 } }, false],
    [{ a: {} }, { a: [] }, false],
    [{ toString: 'x' }, {}, false],
    [{}, undefined, false],
  ])('match.body %j and the body %j: %s', (body, found, expected) => {
    const { faults } = createFaults([{ ...reset, match: { body } }])
    const request = { ...plainRequest, json: () => found }
    expect(takeEffects(faults, 'updateInventory', request).length === 1).toBe(expected)
  })

  test('match.petId is exact beyond 2^53-1', () => {
    const { faults } = createFaults([{ ...delay, match: { petId: '9223372036854775807' } }])
    const take = (petId: string) => takeEffects(faults, 'getPet', { ...plainRequest, petId }).length
    expect([take('9223372036854775807'), take('9223372036854775806')]).toEqual([1, 0])
  })

  test('a random delay changes neither the draws of the world nor the draws of other faults', () => {
    const rated = { type: 'status', status: 503, rate: 0.5 } as const
    const takeAll = (first: FaultInput) => {
      const { faults, random } = createFaults([first, rated], 5)
      const statuses = Array.from({ length: 50 }, () => takeEffects(faults, 'getPet').length)
      return [statuses, random.draws, random.nextString(8)]
    }
    const random = takeAll({ type: 'delay', delayMs: { median: 150, p95: 900 } })
    expect(random).toEqual(takeAll(delay))
  })

  test.each([
    ['min and max', { min: 100, max: 400 }, 250, 385],
    ['median and p95', { median: 150, p95: 900 }, 150, 900],
  ])('delays with %s have the stated distribution', (_, delayMs, median, p95) => {
    const { faults } = createFaults([{ type: 'delay', delayMs }], 3)
    const drawn = Array.from({ length: 4_000 }, () => faults.take('getPet', plainRequest))
      .flatMap((taken) => taken.map((fault) => fault.delayMs))
      .sort((a, b) => a - b)
    expect(drawn.every(Number.isInteger)).toBe(true)
    expect(drawn[2_000]).toBeGreaterThan(median * 0.93)
    expect(drawn[2_000]).toBeLessThan(median * 1.07)
    expect(drawn[3_800]).toBeGreaterThan(p95 * 0.9)
    expect(drawn[3_800]).toBeLessThan(p95 * 1.1)
  })

  test('two faults with the same random delay draw different values', () => {
    const random: FaultInput = { type: 'delay', delayMs: { min: 0, max: 60_000 } }
    const { faults } = createFaults([random, random])
    const [first, second] = faults.take('getPet', plainRequest)
    expect(first?.delayMs).not.toBe(second?.delayMs)
  })

  const outline = (faults: Faults) =>
    faults
      .take('getPet', plainRequest)
      .map(({ effect, ...rest }) => ({ ...rest, type: effect === 'pass' ? effect : effect.type }))

  test('a copy of the list or of the uses continues in the same way', () => {
    const input: FaultInput[] = [
      { type: 'delay', delayMs: { min: 0, max: 60_000 }, skip: 3 },
      { type: 'delay', delayMs: 1, atMost: 9 },
      { sequence: ['pass', { delayMs: 2 }, 'pass', { delayMs: 3 }, 'pass', 'pass', 'pass'] },
    ]
    const { faults } = createFaults(input)
    const listed = createFaults(input).faults
    const restored = createFaults(input).faults
    for (let request = 0; request < 8; request++) {
      listed.set(JSON.parse(JSON.stringify(faults.list())))
      if (request < 7) restored.restoreUses(JSON.parse(JSON.stringify(faults.saveUses())))
      const expected = outline(faults)
      expect(outline(listed)).toEqual(expected)
      if (request < 7) expect(outline(restored)).toEqual(expected)
    }
  })
})

test.each<[object, string]>([
  [{ type: 'status', status: 500, phase: 'after' }, 'phase is not a known field'],
  [{ type: 'truncate', phase: 'before' }, 'phase must be "after", found "before" (string)'],
  [{ ...reset, phase: 'late' }, 'phase must be "before" or "after", found "late" (string)'],
  [
    { type: 'status', status: 502, body: 'x', code: 'busy' },
    'code must be absent, because of the body, found "busy" (string)',
  ],
  [
    { sequence: [{ status: 502, body: 'x', message: 'y' }] },
    'sequence[0].message must be absent, because of the body',
  ],
  [
    { type: 'status', status: 502, headers: { Via: '1.1 a', 'Content-Length': '1' } },
    'headers.Content-Length must be absent: a fault cannot set this header, found "1"',
  ],
  [
    { type: 'status', status: 502, headers: { 'a b': '1' } },
    'headers["a b"] must be absent: this is not the name of a header',
  ],
  [
    { type: 'status', status: 502, headers: { 'X-A': '1', 'x-a': '2' } },
    'headers.x-a must be absent: the name occurs in another spelling',
  ],
  [
    { type: 'status', status: 502, headers: { 'Clear-Site-Data': '"*"' } },
    'headers.Clear-Site-Data must be absent',
  ],
  [
    { type: 'status', status: 502, headers: { Via: 'a\r\nb: c' } },
    'headers.Via must be at most 1000 printable ASCII characters',
  ],
  [{ ...reset, times: 2 }, 'times is not a known field; did you mean "atMost"?'],
  [{ ...reset, after: 2 }, 'after is not a known field; did you mean "skip"?'],
  [{ ...reset, skip: -1 }, 'skip must be a number of at least 0'],
  [{ type: 'delay', delayMs: 'long' }, 'delayMs must be an integer or an object, found "long"'],
  [{ type: 'delay', delayMs: -1 }, 'delayMs must be a number of at least 0, found -1 (number)'],
  [{ type: 'delay', delayMs: { min: 5 } }, 'delayMs.max is missing, wanted an integer'],
  [{ type: 'delay', delayMs: { median: 5, p95: 3 } }, 'delayMs must be an object whose median'],
  [{ type: 'delay', delayMs: {} }, 'delayMs must be an object with min or median'],
  [{ type: 'reset', sequence: ['pass'] }, 'sequence is not a known field'],
  [{ status: 503 }, "status is not a known field, wanted a type with it: add type: 'status'"],
  [{ sequence: [] }, 'sequence must be an array with a length of at least 1'],
  [{ sequence: ['pass'], rate: 0.5 }, 'rate is not a known field'],
  [{ sequence: ['pass', {}] }, 'sequence[1] must be an object with type or delayMs or status'],
  [{ sequence: [{ delayMs: 5, atMost: 2 }] }, 'sequence[0].atMost is not a known field'],
  [{ sequence: [{ delayMs: { min: 5 } }] }, 'sequence[0].delayMs.max is missing'],
  [{ ...reset, match: {} }, 'match must be an object with petId, body or headers'],
  [{ ...reset, match: { petId: 'x' } }, 'match.petId must be an int64'],
  [{ ...reset, match: { petId: 2 ** 53 } }, 'match.petId must be an int64'],
  [{ ...reset, match: { headers: { 'a b': 'x' } } }, 'match.headers must be an object of header'],
  [{ ...reset, match: { headers: { a: 1 } } }, 'match.headers.a must be a string'],
  [{ ...reset, match: { body: { a: 5n } } }, 'match.body must be an object of JSON data'],
  [
    { ...reset, operation: 'getPet', match: { body: {} } },
    'match.body must be absent, because getPet has no body',
  ],
])('an invalid fault is rejected with its location: %o', (fault, message) => {
  const { faults } = createFaults()
  expect(() => faults.add(fault as FaultInput)).toThrow(message) // invalid on purpose
  expect(() => faults.set([delay, fault as FaultInput])).toThrow(`[1].${message}`)
  expect(faults.list()).toEqual([])
})

test.each<[FaultInput, string]>([
  [
    { type: 'truncate', share: 0.25, rate: 0.2 },
    'every operation truncates the body after 25 %, for 20 % of requests',
  ],
  [
    { type: 'status', status: 503, code: 'maintenance', atMost: 1 },
    'every operation responds with 503 maintenance, 1 use left',
  ],
  [
    { type: 'delay', delayMs: { min: 100, max: 400 }, phase: 'after', skip: 1 },
    'every operation waits 100 to 400 ms after the operation, after 1 more request',
  ],
  [
    { type: 'delay', delayMs: { median: 150, p95: 900 }, triggered: 2 },
    'every operation waits 150 ms (median; p95 900 ms), triggered 2 times',
  ],
  [
    {
      sequence: [{ status: 503 }, 'pass', { type: 'reset', phase: 'after' }],
      operation: 'getPet',
    },
    'getPet responds with 503, then lets the request pass, then resets the connection after the operation',
  ],
  [
    { ...reset, match: { petId: 7, body: { quantity: 5 }, headers: { 'x-a': '1' } } },
    'every operation resets the connection, with petId 7 and body {"quantity":5} and x-a: 1',
  ],
])('describeFault describes %j', (fault, text) => {
  expect(describeFault(faultSchema.parse(fault))).toBe(text)
})

test.each(Object.entries(faultKinds))('the example of the fault kind %s is valid', (type, kind) => {
  const fault = faultSchema.parse({ type, ...kind.example })
  expect(fault).toMatchObject({ type, ...kind.example })
  expect(kind.summarize(fault)).toMatch(/^[a-z].*[^.]$/)
})

test.each([
  ['listInventory', 400, 'malformed_request'],
  ['getPet', 400, 'invalid_parameter'],
  ['updateInventory', 400, 'invalid_json'],
  ['updateInventory', 404, 'pet_not_found'],
  ['listOrders', 404, 'route_not_found'],
] as const)('a fault of %s with the status %i has the code %s', (operation, status, code) => {
  expect(toFaultCode(operations[operation], status)).toBe(code)
})
