import { upperFirst } from 'es-toolkit/string'
import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import {
  type JsonRecord,
  recordKinds,
  toJsonRecord,
  type WritableKind,
} from '../service/records.js'
import { type RecordInput, recordModels } from '../service/schemas.js'
import { type Collection, fieldsSchema } from '../world/database/collection.js'
import { type ControlOperation, defineControl } from './operation.js'
import { defineList } from './page.js'
import type { World } from './world.js'

/** The documentation of an operation on records of a kind. */
type Texts = Pick<ControlOperation, 'summary' | 'description' | 'errorMessages'>

/** The specific parts of the operations on a kind of record. */
interface RecordsDefinition<Kind extends WritableKind> {
  /** What the id in a path identifies, such as `the animal`. */
  readonly identifies: string
  /** A record in responses. */
  readonly stateSchema: z.ZodMiniType<JsonRecord<Kind>>
  readonly columns?: readonly string[]
  readonly list: Texts
  readonly add: Texts & { readonly example: object }
  readonly change: Texts & { readonly example: object }
  readonly remove: Texts
}

/** Defines the operations that list, add, change and remove the records of a kind. */
export function defineRecords<Kind extends WritableKind>(
  kind: Kind,
  definition: RecordsDefinition<Kind>,
) {
  return { ...defineWhole(kind, definition), ...defineSingle(kind, definition) }
}

/** Defines the operations that list the records of a kind, and add one. */
function defineWhole<Kind extends WritableKind>(
  kind: Kind,
  { list, add, stateSchema, columns }: RecordsDefinition<Kind>,
) {
  const { noun, id: idField } = recordKinds[kind]
  const { schema, maximum } = recordModels[kind]
  const { example, errorMessages, ...texts } = add
  const common = { path: `/${kind}`, columns }
  return {
    list: defineList({
      ...common,
      ...list,
      idField,
      response: { description: `One entry per ${noun}.`, body: { schema: z.array(stateSchema) } },
      records: ({ world }) =>
        collectionOf(world, kind)
          .list()
          .map((record) => toJsonRecord(kind, record)),
    }),
    add: defineControl({
      method: 'POST',
      ...common,
      ...texts,
      request: {
        name: `New${upperFirst(noun)}`,
        schema: fieldsSchema,
        documentedSchema: schema,
        example,
      },
      response: {
        status: 201,
        description: `The new ${noun}.`,
        body: { name: upperFirst(noun), schema: stateSchema },
      },
      errors: ['missing_field', 'resource_conflict', 'sandbox_capacity'],
      errorMessages: {
        sandbox_capacity: `a world of this sandbox has at most ${maximum} ${kind}; remove some`,
        ...errorMessages,
      },
      run: ({ world, body }) =>
        toJsonRecord(kind, collectionOf(world, kind).add(body as RecordInput<Kind>)), // it validates it
    }),
  }
}

/** Defines the operations that change and remove one record of a kind. */
function defineSingle<Kind extends WritableKind>(
  kind: Kind,
  { change, remove, stateSchema, columns, identifies }: RecordsDefinition<Kind>,
) {
  const { noun, id } = recordKinds[kind]
  const { schema } = recordModels[kind]
  const { example, errorMessages, ...texts } = change
  const common = { columns, ...describeOne(kind, identifies) }
  return {
    change: defineControl({
      method: 'PATCH',
      ...common,
      ...texts,
      request: {
        name: `${upperFirst(noun)}Change`,
        schema: fieldsSchema,
        documentedSchema: toPartialSchema(schema),
        example,
      },
      response: {
        description: `The ${noun} after the change.`,
        body: { schema: stateSchema },
      },
      errorMessages: { ...common.errorMessages, ...errorMessages },
      run: ({ world, params, body }) => {
        const fields = body as RecordInput<Kind> // the collection validates it
        return toJsonRecord(kind, collectionOf(world, kind).change(params[id] ?? '', fields))
      },
    }),
    remove: defineControl({
      method: 'DELETE',
      ...common,
      ...remove,
      response: {
        description: `The removed ${noun}.`,
        body: { schema: stateSchema },
      },
      run: ({ world, params }) =>
        toJsonRecord(kind, collectionOf(world, kind).remove(params[id] ?? '')),
    }),
  }
}

/** Returns the common parts of the operations on one record. */
function describeOne(kind: WritableKind, identifies: string) {
  const { id, notFound } = recordKinds[kind]
  const invalidId = `${id} must be an int64 in canonical decimal, such as 7, found "seven" (string)`
  return {
    path: `/${kind}/{${id}}`,
    pathParameter: {
      description: `Identifier of ${identifies}, in canonical decimal.`,
      example: Reflect.get(recordModels[kind].example, id),
    },
    errors: [notFound],
    errorMessages: { invalid_parameter: invalidId },
  }
}

function collectionOf<Kind extends WritableKind>(world: World, kind: Kind): Collection<Kind> {
  return world.db[kind] as unknown as Collection<Kind> // of this kind
}

/** An int64 in a control response: exact at any size. */
export const int64StateSchema = annotate(
  z.union([z.int(), z.string()]),
  'An int64: an integer, or beyond 2^53-1 its decimal digits as a string.',
)

/** Returns the documented schema of a partial record: the same fields, all optional, no defaults. */
function toPartialSchema({ shape }: z.ZodMiniObject): z.ZodMiniType {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const withoutDefault = schema instanceof z.ZodMiniDefault ? schema.def.innerType : schema
    return [name, annotate(z.optional(withoutDefault), z.globalRegistry.get(schema) ?? {})]
  })
  return z.looseObject(Object.fromEntries(fields))
}
