import { describe, expect, it } from 'vitest'
import { findInexact, readAdditional, toPatch } from '../../src/console/data/additional-fields.js'
import { arrange, compare, toggleSorting } from '../../src/console/data/arrange.js'
import { toChange, toNewRecord } from '../../src/console/data/edit.js'
import { additional, type JsonRecord, toDraft } from '../../src/console/data/fields.js'
import { pageSize, toPage } from '../../src/console/data/page.js'
import { toProblems, whole } from '../../src/console/data/problems.js'
import { createPetKind, findFreeId, shorten } from '../../src/console/data/record-kind.js'

const kind = createPetKind(['available', 'pending', 'sold'])
const nemo: JsonRecord = {
  petId: '9223372036854775807',
  name: 'Nemo',
  status: 'available',
  category: 'fish',
  photoUrls: [],
  tags: ['a', 'b'],
  quantity: 40,
  weightKg: 31.5,
  chip: null,
}

describe('toPage', () => {
  const all = Array.from({ length: 2 * pageSize + 1 }, (_, at) => at)

  it.each([
    [0, 0, `1–${pageSize} of ${all.length}`],
    [2, 2, `${all.length}–${all.length} of ${all.length}`],
    [9, 2, `${all.length}–${all.length} of ${all.length}`],
  ])('for the number %i returns page %i with the title %s', (requested, number, title) => {
    expect(toPage(all, requested)).toMatchObject({ number, last: 2, title })
  })

  it('returns one empty page for an empty list', () => {
    expect(toPage([], 3)).toEqual({ items: [], number: 0, last: 0, title: '0 of 0' })
  })
})

describe('findFreeId', () => {
  it.each([
    [[], 1],
    [[3, 12], 13],
    [[-4], 1],
    [['9223372036854775807', 2], 3],
  ])('for the ids %o returns %i', (ids, id) => {
    expect(findFreeId(ids)).toBe(id)
  })
})

describe('shorten', () => {
  it.each([
    ['  a\n b ', 'a b'],
    ['\u202eevil\u202c', 'evil'],
    ['x'.repeat(50), `${'x'.repeat(40)}…`],
    ['🐕'.repeat(41), `${'🐕'.repeat(40)}…`],
  ])('of %j returns %j', (name, expected) => {
    expect(shorten(name)).toBe(expected)
  })
})

describe('a draft', () => {
  it('has the fields of a record as strings, and its additional fields as JSON', () => {
    expect(toDraft(nemo, kind.fields)).toEqual({
      petId: '9223372036854775807',
      name: 'Nemo',
      status: 'available',
      category: 'fish',
      photoUrls: '',
      tags: 'a\nb',
      quantity: '40',
      [additional]: '{\n  "weightKg": 31.5,\n  "chip": null\n}',
    })
  })

  it.each([
    [[]],
    [['one']],
    [['two\nlines', 'b']],
    [['']],
    [['[x', 'b']],
    [['<img src=x onerror=alert(1)>', '\u202e', '"', '🐕']],
  ])('reads the list %j as it was', (tags) => {
    const draft = toDraft({ ...nemo, tags }, kind.fields)
    const { json } = toNewRecord(kind, {}, draft)
    expect(JSON.parse(json ?? '').tags).toEqual(tags)
  })

  it('that changes nothing sends nothing', () => {
    expect(toChange(kind, nemo, toDraft(nemo, kind.fields))).toBeUndefined()
  })

  it('sends only what it changes, and numbers with all of their digits', () => {
    const draft = { name: 'Max', tags: 'a\n\nc', quantity: '99999999999999999999' }
    expect(toChange(kind, nemo, draft)).toEqual({
      json: '{"name":"Max","quantity":99999999999999999999,"tags":["a","c"]}',
    })
  })

  it.each(['', 'many', '007', '1,5', '"1"'])('sends the quantity %j as a string', (quantity) => {
    expect(toChange(kind, nemo, { quantity })).toEqual({ json: JSON.stringify({ quantity }) })
  })

  it('sends null for an additional field that it does not have', () => {
    const draft = { [additional]: '{"chip":null,"color":"red"}' }
    expect(toChange(kind, nemo, draft)).toEqual({ json: '{"color":"red","weightKg":null}' })
  })

  it('restores a record with null and exact ids', () => {
    const { json = '' } = toNewRecord(kind, nemo, {})
    expect(JSON.parse(json)).toEqual(nemo)
  })
})

describe('readAdditional', () => {
  it.each([
    ['[]', 'must be a JSON object'],
    ['{"a": 1', 'must be a JSON object such as { "weightKg": 31.5 }: '],
    ['{"quantity": 1}', 'quantity has an input of its own'],
    ['{"a": [12345678901234567890]}', '12345678901234567890 would become 12345678901234567000'],
  ])('of %s states the problem', (text, problem) => {
    expect(readAdditional(text, kind.fields).problem).toContain(problem)
  })

  it('keeps a field with the name __proto__, so that the sandbox can reject it', () => {
    const { fields = {} } = readAdditional('{"__proto__": 1}', kind.fields)
    expect(Object.keys(fields)).toEqual(['__proto__'])
    expect(
      toChange(kind, nemo, { [additional]: '{"__proto__":1,"chip":null,"weightKg":31.5}' }),
    ).toEqual({ json: '{"__proto__":1}' })
  })
})

describe('findInexact', () => {
  it.each([
    '1',
    '-0',
    '0.10',
    '1e3',
    '1.5E-7',
    '9007199254740991',
    '1e21',
    '"12345678901234567890"',
  ])('accepts %s', (json) => expect(findInexact(`[${json}]`)).toBeUndefined())

  it.each(['9007199254740993', '0.12345678901234567890', '1e400', '-12345678901234567'])(
    'finds %s',
    (json) => expect(findInexact(`{"a":[1, ${json}]}`)).toBe(json),
  )
})

it('toPatch does not set a field to null, because that removes it', () => {
  expect(toPatch({ a: 1 }, { a: null })).toEqual({ problem: expect.stringContaining('a cannot') })
  expect(toPatch({ a: null }, { a: null })).toEqual({ members: {} })
})

describe('toProblems', () => {
  const toField = (name: string) =>
    ['petId', 'quantity', 'tags'].includes(name) ? name : name === 'chip' ? additional : undefined

  it.each([
    [
      'quantity must be an integer, found "a; b must be" (string); tags[0] must be a string, found 1 (number)',
      {
        quantity: 'quantity must be an integer, found "a; b must be" (string)',
        tags: 'tags[0] must be a string, found 1 (number)',
      },
    ],
    [
      'the pet: pets[0].tags must be an array of at most 20000 entries, found an array of 20001',
      {
        tags: 'the pet: pets[0].tags must be an array of at most 20000 entries, found an array of 20001',
      },
    ],
    [
      'the pet: pets[0].chip must be another name, found a field of this name',
      { [additional]: 'the pet: pets[0].chip must be another name, found a field of this name' },
    ],
    [
      'the pet: pets[0] must be at most 1048576 characters, found more',
      { [whole]: 'the pet: pets[0] must be at most 1048576 characters, found more' },
    ],
    [
      'a pet with the petId 1 already exists in this world; change it instead',
      { petId: 'a pet with the petId 1 already exists in this world; change it instead' },
    ],
    ['the sandbox does not respond', { [whole]: 'the sandbox does not respond' }],
  ])('assigns %s', (message, expected) => {
    expect(toProblems(message, toField)).toEqual(expected)
  })
})

describe('arrange', () => {
  const rows = [
    { id: '9223372036854775807', name: 'b10', status: 'sold' },
    { id: 5, name: 'B2', status: 'available' },
    { id: '-9223372036854775808', name: 'a', status: 'sold' },
  ]
  const access = {
    toText: ({ name }: (typeof rows)[number]) => name,
    findSortValue: (column: string) => (row: (typeof rows)[number]) =>
      column === 'Id' ? row.id : row.name,
  }
  const toNames = (query: Partial<Parameters<typeof arrange>[1]>) =>
    arrange(rows, { search: '', status: '', sorting: undefined, ...query }, access).map(
      ({ name }) => name,
    )

  it('sorts int64 ids by their value, and names without regard to case', () => {
    expect(toNames({ sorting: { column: 'Id', isDescending: false } })).toEqual(['a', 'B2', 'b10'])
    expect(toNames({ sorting: { column: 'Name', isDescending: true } })).toEqual(['b10', 'B2', 'a'])
    expect(compare('9223372036854775806', '9223372036854775807')).toBe(-1)
  })

  it('returns the rows that match the search and the status', () => {
    expect(toNames({ search: ' B' })).toEqual(['b10', 'B2'])
    expect(toNames({ search: 'b', status: 'sold' })).toEqual(['b10'])
  })

  it('toggleSorting sorts ascending, then descending, then not at all', () => {
    const first = toggleSorting({ column: 'Name', isDescending: true }, 'Id')
    const second = toggleSorting(first, 'Id')
    expect([first, second, toggleSorting(second, 'Id')]).toEqual([
      { column: 'Id', isDescending: false },
      { column: 'Id', isDescending: true },
      undefined,
    ])
  })
})
