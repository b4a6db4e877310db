import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { toOpenApi } from '../../src/openapi/service.js'
import { document as controlDocument } from './control-document.js'

describe.each([
  ['toOpenApi', toOpenApi()],
  ['toControlOpenApi', controlDocument],
])('%s', (_name, document) => {
  test('returns a document that is valid under the meta-schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('returns plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })
})
