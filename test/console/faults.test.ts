import { describe, expect, it } from 'vitest'
import { createPetKind } from '../../src/console/data/record-kind.js'
import { readFaultKinds } from '../../src/console/documents/documents.js'
import {
  type AnyFault,
  describeEffect,
  describeScope,
  type FaultKind,
  type KindTitles,
  toEntries,
  toFaultJson,
} from '../../src/console/documents/fault-kinds.js'
import { findFault } from '../../src/console/faults/fault-card.js'
import { faultTitles } from '../../src/console/panel/view/quick-faults.js'
import { toFieldErrors } from '../../src/console/parts/form-values.js'
import { toControlOpenApi } from '../../src/engine/control-document.js'
import type { JsonSchema } from '../../src/service/openapi/schemas.js'
import type { FaultInput } from '../../src/world/faults/schema.js'
import { openSandbox, origin, toServed } from './support.js'

const document = toServed(await toControlOpenApi())
const kinds = readFaultKinds(document)

const describeFault = (fault: AnyFault, titles: readonly KindTitles[]) =>
  `${describeEffect(fault, titles)}: ${describeScope(fault)}`

function findKind(type: string): FaultKind {
  const kind = kinds.find((known) => known.type === type)
  if (kind) return kind
  throw new Error(`the document must have the fault kind ${type}`)
}

describe('the fault form', () => {
  it('has the fields of a kind with type, limits and help text, required fields first', () => {
    const { description, fields } = findKind('status')
    expect(description).not.toBe('')
    expect(fields[0]).toMatchObject({
      name: 'status',
      type: 'integer',
      isRequired: true,
      min: 400,
      max: 599,
      help: expect.stringMatching(/./),
    })
    expect(fields.find(({ name }) => name === 'operation')).toMatchObject({
      type: 'choice',
      isRequired: false,
      options: expect.arrayContaining(['getPet']),
    })
    expect(fields.find(({ name }) => name === 'rate')).toMatchObject({ type: 'number', max: 1 })
    expect(fields.find(({ name }) => name === 'message')).toMatchObject({ type: 'text' })
    expect(fields.find(({ name }) => name === 'match')).toMatchObject({ type: 'json' })
    expect(fields.map(({ name }) => name)).not.toContain('triggered')
  })

  it('has the default of an optional field, and does not enter it', () => {
    const share = findKind('truncate').fields.find(({ name }) => name === 'share')
    expect(share).toMatchObject({ placeholder: '0.5', isRequired: false, initial: '' })
  })

  it('creates a sequence from its example', async () => {
    const kind = findKind('sequence')
    const fault = JSON.parse(toFaultJson(kind, toEntries(kind)))
    expect(fault).toEqual({
      type: 'sequence',
      sequence: [{ status: 503 }, 'pass', { delayMs: 200 }],
    })
    const { faults } = (await openSandbox()).world
    faults.set([fault])
    expect(faults.size).toBe(1)
  })

  it('offers a kind that only the document of the sandbox defines', () => {
    const slow: JsonSchema = {
      title: 'Slow body',
      required: ['type', 'bytesPerSecond'],
      properties: {
        type: { const: 'slow' },
        bytesPerSecond: { title: 'Bytes per second', type: 'integer', examples: [1024] },
        isChunked: { type: 'boolean', default: true },
        pauses: { type: 'array' },
      },
    }
    const oneOf = [...(document.components.schemas.Fault?.oneOf ?? []), slow]
    const schemas = { ...document.components.schemas, Fault: { oneOf } }
    const all = readFaultKinds({ ...document, components: { ...document.components, schemas } })
    expect(all.map(({ type }) => type)).toEqual([...kinds.map(({ type }) => type), 'slow'])
    const [kind] = all.slice(-1) as [FaultKind] // it has one
    expect(kind.title).toBe('Slow body')
    const entries = { ...toEntries(kind), isChunked: 'false', pauses: '[1,2]' }
    const fault = { type: 'slow', bytesPerSecond: 1024, isChunked: false, pauses: [1, 2] }
    expect(JSON.parse(toFaultJson(kind, entries))).toEqual(fault)
    expect(describeFault(fault, all)).toBe(
      'Slow body (Bytes per second 1024, isChunked false, pauses [1,2]): every operation',
    )
  })
})

describe('describeFault', () => {
  it('needs only the titles that the panel has', () => {
    for (const { type, fields } of kinds) {
      const own = fields.map(({ name }) => [name, name])
      const fault = { type, ...Object.fromEntries(own) }
      expect(describeFault(fault, faultTitles)).toBe(describeFault(fault, kinds))
    }
  })

  it.each([
    [{ type: 'status', status: 503, atMost: 2 }, 'Error status 503: every operation, 2 more times'],
    [
      { type: 'status', status: 503, code: 'busy', retryAfterSeconds: 2 },
      'Error status 503 (Code busy, Retry after seconds 2): every operation',
    ],
    [{ type: 'delay', delayMs: 5 }, 'Delay (Milliseconds 5): every operation'],
    [
      { type: 'reset', operation: 'getPet', rate: 0.2, atMost: 1 },
      'Connection reset: getPet, 20 % of requests, once more',
    ],
    [{ type: 'unknown', at: 'noon' }, 'unknown (At noon): every operation'],
    [
      { type: 'reset', phase: 'after', match: { petId: 7 }, skip: 2, triggered: 1 },
      'Connection reset (Phase after): every operation, with {"petId":7}, after 2 more, triggered 1 time',
    ],
    [{ sequence: ['pass'] }, 'Sequence (Steps ["pass"]): every operation'],
  ])('describes %o', (fault, expected) => {
    expect(describeFault(fault, kinds)).toBe(expected)
  })
})

describe('toFieldErrors', () => {
  const fields = [...findKind('status').fields, ...createPetKind([]).fields]

  it.each([
    ['rate must be a number of at most 1, found 10 (number)', ['rate']],
    ['[3].match.petId must be an int64, found "x" (string)', ['match']],
    [
      'status is missing, wanted an integer; atMost must be a number of at least 1, found 0',
      ['status', 'atMost'],
    ],
    ['code must be snake_case, found "a; rate must be \\"b\\"" (string)', ['code']],
    ['a world of this sandbox has at most 100 faults; remove some', ['']],
    ['toString must be absent', ['']],
    ['the pet: pets[0].tags must be an array of at most 9 entries', ['tags']],
    ['pets[0].quantity must be an integer; tags[0] must be a string', ['quantity', 'tags']],
    ['pets[0].__proto__ must be another name', ['']],
    ['a pet with the petId 1 already exists in this world', ['']],
  ])('assigns %j to the fields that it names', (message, names) => {
    const errors = toFieldErrors(message, fields)
    expect(Object.keys(errors)).toEqual(names)
    expect(Object.values(errors).join('; ')).toBe(message)
  })
})

describe('toFaultJson', () => {
  it('keeps an int64 exact', () => {
    const entries = { match: '{"petId":9223372036854775807}' }
    expect(toFaultJson(findKind('reset'), entries)).toBe(
      '{"type":"reset","match":{"petId":9223372036854775807}}',
    )
  })

  it('returns the same fault for the entries of a fault', async () => {
    const { faults } = (await openSandbox()).world
    const all: FaultInput[] = [
      { type: 'status', status: 503, code: 'busy', message: '"; <b>', rate: 0.2 },
      { type: 'delay', delayMs: { min: 1, max: 2 }, match: { body: { quantity: 1 } }, atMost: 3 },
      { type: 'reset', phase: 'after', operation: 'getPet', skip: 2 },
      { type: 'truncate', share: 0.1 },
      { sequence: ['pass', { status: 503 }] },
    ]
    faults.set(all)
    for (const fault of faults.list()) {
      const kind = findKind(fault.type ?? 'sequence')
      expect(JSON.parse(toFaultJson(kind, toEntries(kind, fault)))).toEqual({
        type: 'sequence',
        ...fault,
      })
    }
  })
})

describe('findFault', () => {
  it('finds a fault after requests have used it', async () => {
    const sandbox = await openSandbox()
    sandbox.world.faults.set([
      { type: 'status', status: 503, atMost: 1, operation: 'listOrders' },
      { type: 'delay', delayMs: 1, atMost: 5 },
      { type: 'delay', delayMs: 1 },
      { sequence: ['pass', 'pass', { delayMs: 1 }] },
    ])
    const shown = sandbox.world.faults.list()
    const send = () =>
      sandbox.fetch(`${origin}/v1/store/orders`, { headers: { Authorization: 'Bearer sbx_free' } })
    await send()
    await send()
    const now = sandbox.world.faults.list()
    expect(now).toHaveLength(3)
    expect(shown.map((fault, at) => findFault(now, fault, at))).toEqual([undefined, 0, 1, 2])
  })

  it('finds, of several equal faults, the fault at the previous position', () => {
    const fault = { type: 'delay', delayMs: 1 } as const
    expect(findFault([fault, fault, fault], fault, 2)).toBe(2)
    expect(findFault([fault, fault], fault, 2)).toBe(0)
  })
})
