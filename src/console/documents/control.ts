import { addresses } from '../../service/addresses.js'
import type { OpenApiDocument } from '../../service/openapi/build.js'
import type { JsonSchema } from '../../service/openapi/schemas.js'
import { type FormField, toEntry } from '../parts/form-values.js'
import type { FaultField, FaultKind } from './fault-kinds.js'

/**
 * Reads the parts of the control API's OpenAPI document that the page uses.
 *
 * @param root URL of the sandbox, without a trailing slash.
 */
export function readControlContract(document: OpenApiDocument, root: string) {
  const { control, stagingControl } = addresses
  return {
    controlUrls: {
      production: root + control.httpPath,
      staging: root + stagingControl.httpPath,
    },
    faultKinds: readFaultKinds(document),
    petStatuses: readStatuses(document, 'NewPet'),
    orderStatuses: readStatuses(document, 'NewOrder'),
  }
}

function readStatuses({ components }: OpenApiDocument, name: string): readonly string[] {
  const status = resolveSchema(components, components.schemas[name]?.properties?.status)
  return (status.enum ?? []).map(String)
}

/** Reads the kinds of fault from the alternatives of the component `Fault`. */
export function readFaultKinds({ components }: OpenApiDocument): readonly FaultKind[] {
  const { oneOf = [] } = components.schemas.Fault ?? {}
  return oneOf.map((variant) => toFaultKind(components, variant))
}

type Components = Pick<OpenApiDocument['components'], 'schemas'>
type Subschema = JsonSchema | boolean | undefined

/** Follows a `$ref` to a component schema. Keeps the keywords beside the reference. */
function resolveSchema(components: Components, schema: Subschema): JsonSchema {
  if (typeof schema !== 'object') return {}
  const { $ref, ...rest } = schema
  const name = $ref?.split('/').at(-1)
  if (name === undefined) return schema
  return { ...resolveSchema(components, components.schemas[name]), ...rest }
}

function toFaultKind(components: Components, variant: Subschema): FaultKind {
  const { title, description, properties = {}, required = [] } = resolveSchema(components, variant)
  const { type, triggered: _, ...fields } = properties
  const typeSchema = resolveSchema(components, type)
  const typeName = String(typeSchema.const ?? typeSchema.enum?.[0])
  return {
    type: typeName,
    title: title ?? typeSchema.title ?? typeName,
    description: description ?? typeSchema.description ?? '',
    fields: Object.entries(fields)
      .map(([name, schema]) =>
        toFaultField(name, resolveSchema(components, schema), required.includes(name)),
      )
      .sort((a, b) => Number(b.isRequired) - Number(a.isRequired)),
  }
}

function toFaultField(name: string, schema: JsonSchema, isRequired: boolean): FaultField {
  const { title = name, description, type, enum: options, default: value, examples } = schema
  const example = Array.isArray(examples) ? examples[0] : undefined
  return {
    name,
    title,
    help: description,
    type: options ? 'choice' : (inputs[String(type)] ?? 'json'),
    isRequired,
    isLong: type === 'array',
    options: options?.map(String),
    min: schema.minimum,
    max: schema.maximum,
    pattern: schema.pattern,
    placeholder: toEntry(value) || (isRequired ? '' : 'optional'),
    initial: isRequired ? toEntry(value ?? example) : '',
  }
}

/** Types of form fields by JSON type. Others are edited as JSON. */
const inputs: Readonly<Record<string, FormField['type']>> = {
  integer: 'integer',
  number: 'number',
  string: 'text',
}
