import { describe, expect, it } from 'vitest'
import { checkAdditional, toChange, toRecordEntries } from '../../src/console/data/record-dialog.js'
import { createPetKind, findFreeId, type JsonRecord } from '../../src/console/data/record-kind.js'
import { arrange } from '../../src/console/parts/table.js'

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

it.each([
  [[], 1],
  [[3, 12], 13],
  [[-4], 1],
  [['9223372036854775807', 2], 3],
])('findFreeId for the ids %o returns %i', (ids, id) => {
  expect(findFreeId(ids)).toBe(id)
})

describe('the form of a record', () => {
  const entries = toRecordEntries(kind, nemo)

  it('has the fields as strings, and the additional fields as JSON', () => {
    expect(entries).toEqual({
      petId: '9223372036854775807',
      name: 'Nemo',
      status: 'available',
      category: 'fish',
      photoUrls: '',
      tags: 'a\nb',
      quantity: '40',
      '…': '{\n  "weightKg": 31.5,\n  "chip": null\n}',
    })
  })

  it.each([
    ['nothing', {}, {}],
    ['a name and lines', { name: 'Max', tags: 'a\n\nc' }, { name: 'Max', tags: ['a', 'c'] }],
    ['a number', { quantity: '-2' }, { quantity: -2 }],
    ['an entry that is no number', { quantity: '' }, { quantity: '' }],
    ['additional fields', { '…': '{"chip":null,"color":"red"}' }, { color: 'red', weightKg: null }],
    ['no additional fields', { '…': '' }, { weightKg: null, chip: null }],
    [
      'a name like __proto__',
      { '…': '{"chip":null,"weightKg":31.5,"x":{"__proto__":1}}' },
      { x: {} },
    ],
  ])('sends only what it changes: %s', (_, changed, expected) => {
    expect(JSON.parse(toChange(kind, { ...entries, ...changed }, nemo))).toMatchObject(expected)
    const names = Object.keys(JSON.parse(toChange(kind, { ...entries, ...changed }, nemo)))
    expect(names.sort()).toEqual(Object.keys(expected).sort())
  })

  it('sends a new record without empty entries', () => {
    const json = toChange(kind, { petId: '13', name: 'Rex', quantity: '', '…': '{"note":null}' })
    expect(JSON.parse(json)).toEqual({ petId: '13', name: 'Rex', note: null })
  })

  it.each([
    ['{"n":12345678901234567890}', '12345678901234567890 would become 12345678901234567000'],
    ['{"n":[-1e400]}', '-1e400 would become -Infinity'],
    ['{"n":12345678901234567000,"m":-0,"e":1e+21,"f":0.30000000000000004}', undefined],
    ['{"12345678901234567890":"\\"12345678901234567890","n":-1.5e9}', undefined],
  ])('names a number that would be rounded or lost: %s', (json, problem) => {
    expect(checkAdditional({ '…': json })).toBe(problem && `${problem}: write it as a string.`)
  })

  it('leaves a field with the name __proto__ to the sandbox, which rejects it', () => {
    expect(toChange(kind, { '…': '{"__proto__": 1}' })).toBe('{"__proto__":1}')
  })
})

describe('arrange', () => {
  const rows = [
    { id: '9223372036854775807', name: 'b10' },
    { id: 5, name: 'B2' },
    { id: '-9223372036854775808', name: 'a' },
  ]
  type Row = (typeof rows)[number]
  const columns = [
    { title: 'Id', toCell: () => '', toSortValue: ({ id }: Row) => BigInt(id) },
    { title: 'Name', toCell: () => '', toSortValue: ({ name }: Row) => name },
  ]

  it.each([
    ['int64 ids by their value', { column: 'Id', isDescending: false }, ['a', 'B2', 'b10']],
    ['names without regard to case', { column: 'Name', isDescending: true }, ['b10', 'B2', 'a']],
  ])('sorts %s', (_, sorting, expected) => {
    const table = { rows, columns, toText: ({ name }: Row) => name }
    const arranged = arrange(table, { search: '', filter: '', sorting })
    expect(arranged.map(({ name }) => name)).toEqual(expected)
  })
})
