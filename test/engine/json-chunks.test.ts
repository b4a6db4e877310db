import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { JsonChunks, serialize } from '../../src/engine/json-chunks.js'
import { JsonText } from '../../src/service/json-text.js'
import { LazyList } from '../../src/service/lazy-list.js'

interface Row {
  readonly id: number
  readonly text: string
}

const rowSchema = z.strictObject({ id: z.int(), text: z.string() })
const listSchema = z.array(rowSchema)
const fileSchema = z.custom<object>((value) => typeof value === 'object')

/** Creates a lazy list of rows of about 1 KiB, and counts how many have been converted. */
function createList(length: number, text = 'x'.repeat(1_000)) {
  const ids = Array.from({ length }, (_, id) => id)
  let converted = 0
  const list = LazyList.from(ids, (id): Row => {
    converted += 1
    return { id, text }
  })
  return { list, countConverted: () => converted }
}

const fail = (error: unknown) => {
  throw error
}

function readAll(chunks: JsonChunks): string[] {
  const found: string[] = []
  for (let chunk = chunks.next(); chunk !== undefined; chunk = chunks.next()) found.push(chunk)
  return found
}

function serializeLong(result: unknown, schema: z.ZodMiniType): JsonChunks {
  const body = serialize(result, schema, fail)
  if (body instanceof JsonChunks) return body
  throw new Error('expected more than one chunk')
}

describe('serialize', () => {
  test.each([
    ['a value without lazy lists', { a: [1, 2] }, z.unknown()],
    ['an empty lazy list', createList(0).list, listSchema],
    ['a short lazy list', createList(60).list, listSchema],
    ['an object with short lazy lists', { a: 1, rows: createList(3).list, b: null }, fileSchema],
    ['an object with an undefined field', { a: undefined, rows: createList(0).list }, fileSchema],
  ])('serializes %s as a whole', (_, result, schema) => {
    const body = serialize(result, schema, fail)
    expect(body).toBeInstanceOf(JsonText)
    expect(body).toMatchObject({ text: JSON.stringify(result) })
  })

  test.each([
    ['a long list', () => createList(1_000).list, listSchema],
    ['a list of non-ASCII strings', () => createList(500, '宠物🐠'.repeat(90)).list, listSchema],
    [
      'an object with long lists',
      () => ({ name: 'x', rows: createList(300).list, others: createList(300).list, last: [1] }),
      fileSchema,
    ],
  ])('splits %s into chunks of about 64 KiB', (_, create, schema) => {
    const chunks = serializeLong(create(), schema)
    const found = readAll(chunks)
    expect(found.join('')).toBe(JSON.stringify(create()))
    expect(found.length).toBeGreaterThan(2)
    for (const chunk of found) expect(chunk.length).toBeLessThan(65_536 + 1_100)
    expect(chunks.next()).toBeUndefined()
  })

  test('converts records only for the chunks that are read', () => {
    const { list, countConverted } = createList(10_000)
    const chunks = serializeLong(list, listSchema)
    expect(countConverted()).toBeLessThan(70)
    chunks.next()
    expect(countConverted()).toBeLessThan(70)
    chunks.next()
    expect(countConverted()).toBeLessThan(140)
    chunks.close()
    expect(chunks.next()).toBeUndefined()
    expect(countConverted()).toBeLessThan(140)
  })

  test('without chunks, JSON.stringify converts every record', () => {
    const { list, countConverted } = createList(10_000)
    JSON.stringify(list)
    expect(countConverted()).toBe(10_000)
  })

  test('estimates the size of the whole body', () => {
    const { estimatedBytes } = serializeLong(createList(5_000).list, listSchema)
    const bytes = JSON.stringify(createList(5_000).list).length
    expect(Math.abs(estimatedBytes - bytes) / bytes).toBeLessThan(0.05)
  })

  test('throws if a record of the first chunk is invalid', () => {
    const list = LazyList.from([1], (id) => ({ id, text: 7 }))
    expect(() => serialize(list, listSchema, fail)).toThrow('a response is invalid: text must be')
  })

  test('reports an invalid record of a later chunk, and throws', () => {
    const rows = [...createList(200).list, { id: 'x', text: '' }]
    const list = LazyList.from(rows, (row) => row)
    const reported: unknown[] = []
    const body = serialize(list, listSchema, (error) => reported.push(error)) as JsonChunks // it is long
    expect(() => readAll(body)).toThrow('a response is invalid: id must be')
    expect(reported).toMatchObject([{ message: expect.stringContaining('id must be') }])
  })
})
