import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { toControlOpenApi } from '../../../src/engine/control-document.js'
import { toOpenApi } from '../../../src/service/openapi/service.js'

const documents = [
  ['toOpenApi', toOpenApi],
  ['toControlOpenApi', toControlOpenApi],
] as const

describe.each(documents)('%s', async (_name, toDocument) => {
  const document = await toDocument()

  test('returns a document that is valid under the meta-schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })
})

describe.each(documents)('%s of OpenAPI 3.0', async (_name, toDocument) => {
  const document = await toDocument({ openapi: '3.0' })

  test('returns a document that is valid under the meta-schema of OpenAPI 3.0', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true })
    expect(validator.version).toBe('3.0')
  })

  test('has nothing of OpenAPI 3.1', () => {
    const text = JSON.stringify(document)
    expect(text).not.toMatch(/"(const|propertyNames|jsonSchemaDialect)":/)
    expect(text).not.toMatch(/"type":(\[|"null")/)
  })

  test('has the operations, responses and examples of OpenAPI 3.1', async () => {
    const outline = (paths: object) =>
      JSON.stringify(paths, (key, value) => (key === 'schema' ? undefined : value))
    const { paths, info } = await toDocument()
    expect(outline(document.paths)).toBe(outline(paths))
    expect(document.info).toEqual(info)
  })
})
