import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { downgrade } from '../../../src/service/openapi/downgrade.js'
import type { JsonSchema } from '../../../src/service/openapi/schemas.js'
import { toOpenApi } from '../../../src/service/openapi/service.js'
import { document as controlDocument } from './control-document.js'

const documents = [
  ['toOpenApi', toOpenApi()],
  ['toControlOpenApi', controlDocument],
] as const

describe.each(documents)('%s', (_name, document) => {
  test('returns a document that is valid under the meta-schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('returns plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })
})

describe.each(documents)('downgrade of %s', (_name, document) => {
  test('returns a document that is valid under the meta-schema of OpenAPI 3.0', async () => {
    const validator = new Validator()
    const converted = structuredClone({ ...downgrade(document) })
    expect(await validator.validate(converted)).toEqual({ valid: true })
    expect(validator.version).toBe('3.0')
  })

  test('leaves nothing of OpenAPI 3.1', () => {
    const text = JSON.stringify(downgrade(document))
    expect(text).not.toMatch(/"(const|propertyNames|jsonSchemaDialect)":/)
    expect(text).not.toMatch(/"type":(\[|"null")/)
  })

  test('keeps operations, responses and examples', () => {
    const outline = (paths: object) =>
      JSON.stringify(paths, (key, value) => (key === 'schema' ? undefined : value))
    const { paths = {}, info } = downgrade(document)
    expect(outline(paths as object)).toBe(outline(document.paths)) // a document has paths
    expect(info).toEqual(document.info)
  })
})

describe('downgrade converts', () => {
  const convert = (schema: JsonSchema) => {
    const { components } = downgrade({
      ...toOpenApi(),
      components: { securitySchemes: {}, schemas: { Tested: schema }, headers: {} },
    })
    return (components as { schemas: { Tested: object } }).schemas.Tested // its form is kept
  }

  test.each<[string, JsonSchema, object]>([
    ['const to enum', { type: 'string', const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      'a type or null to nullable',
      { type: ['string', 'null'] },
      { type: 'string', nullable: true },
    ],
    [
      'several types to anyOf',
      { type: ['integer', 'string'] },
      { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
    [
      'an alternative to null',
      { anyOf: [{ type: 'object' }, { type: 'null' }], description: 'x' },
      { type: 'object', description: 'x', nullable: true },
    ],
    [
      'several alternatives to null',
      { anyOf: [{ type: 'object' }, { type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'object' }, { type: 'string' }], nullable: true },
    ],
    [
      'an exclusive bound',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
    ],
    [
      'a reference with a description',
      { $ref: '#/components/schemas/PetStatus', description: 'x' },
      { allOf: [{ $ref: '#/components/schemas/PetStatus' }], description: 'x' },
    ],
    [
      'nested schemas, and a property that is named like a keyword',
      { type: 'object', properties: { const: { const: 1 } }, additionalProperties: { const: 2 } },
      {
        type: 'object',
        properties: { const: { enum: [1] } },
        additionalProperties: { enum: [2] },
      },
    ],
  ])('%s', (_title, schema, expected) => {
    expect(convert(schema)).toEqual(expected)
  })
})
