import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import type { ErrorCode } from '../service/errors.js'
import { type Lazy, lazy } from '../service/lazy.js'
import {
  type JsonRecord,
  recordKinds,
  toJsonRecord,
  type WritableKind,
} from '../service/records.js'
import { type RecordInput, type RecordOf, recordSchemas } from '../service/schemas.js'
import { type Collection, fieldsSchema } from '../world/database/collection.js'
import type { Table } from '../world/database/table.js'
import { type ControlOperation, type ControlResource, defineControl } from './operation.js'
import type { World } from './world.js'

/** What the document says of an operation on records of a kind. */
interface Texts {
  readonly summary: string
  readonly description: string
  readonly errorMessages?: Readonly<Partial<Record<ErrorCode, string>>>
}

/** The resource of a kind of record that clients can add, change and remove. */
interface RecordsDefinition<Kind extends WritableKind> {
  readonly description: string
  /** A record in responses. */
  readonly stateSchema: Lazy<z.ZodMiniType<JsonRecord<Kind>>>
  readonly list: Texts
  readonly add: Texts & { readonly example: object; readonly added: object }
  readonly change: Texts & { readonly example: object }
  readonly remove: Texts
  /** An existing record. */
  readonly example: object
}

type Fields = z.output<ReturnType<typeof fieldsSchema>>

/** Name of a kind in operation ids, and of its records: `Pets` and `Pet`. */
type Many<Kind extends WritableKind> = Capitalize<Kind>
type One<Kind extends WritableKind> = Capitalize<(typeof recordKinds)[Kind]['noun']>

/** The operations of a resource, such as `listPets`, `addPet`, `changePet` and `removePet`. */
type RecordOperations<Kind extends WritableKind> = {
  readonly [Id in `list${Many<Kind>}`]: ControlOperation<undefined, undefined, JsonRecord<Kind>[]>
} & {
  readonly [Id in `add${One<Kind>}` | `change${One<Kind>}`]: ControlOperation<
    undefined,
    Fields,
    JsonRecord<Kind>
  >
} & {
  readonly [Id in `remove${One<Kind>}`]: ControlOperation<undefined, undefined, JsonRecord<Kind>>
}

/** Creates the resource of a kind: its operations list, add, change and remove records. */
export function defineRecords<Kind extends WritableKind>(
  kind: Kind,
  { description, stateSchema, example, ...texts }: RecordsDefinition<Kind>,
): ControlResource<RecordOperations<Kind>> {
  const { noun, id: field, notFound } = recordKinds[kind]
  const [many, one] = [capitalize(kind), capitalize(noun)]
  const path = `/${kind}/{${field}}` as const
  const invalidId = `${field} must be an int64 in canonical decimal, such as 7, found "seven" (string)`
  const body = { schema: stateSchema, example }
  const collectionOf = (world: World) => world.db[kind] as unknown as Collection<Kind> // of this kind
  const toState = (record: RecordOf<Kind>) => toJsonRecord(kind, record)
  const idIn = (params: Readonly<Record<string, string>>) => params[field] ?? ''
  const operations = {
    [`list${many}`]: defineControl({
      method: 'GET',
      path: `/${kind}`,
      ...texts.list,
      response: {
        description: `One entry per ${noun}.`,
        body: { schema: lazy(() => z.array(stateSchema())), example: [example] },
      },
      run: ({ world }) => collectionOf(world).list().map(toState),
    }),
    [`add${one}`]: defineControl({
      method: 'POST',
      path: `/${kind}`,
      ...texts.add,
      request: {
        name: `New${one}`,
        schema: fieldsSchema,
        documentedSchema: recordSchemas[kind],
        example: texts.add.example,
      },
      response: {
        status: 201,
        description: `The new ${noun}.`,
        body: { name: one, schema: stateSchema, example: texts.add.added },
      },
      errors: ['missing_field', 'resource_conflict', 'sandbox_capacity'],
      run: ({ world, body: fields }) =>
        toState(collectionOf(world).add(fields as RecordInput<Kind>)), // which validates it
    }),
    [`change${one}`]: defineControl({
      method: 'PATCH',
      path,
      ...texts.change,
      errorMessages: { invalid_parameter: invalidId, ...texts.change.errorMessages },
      request: {
        name: `${one}Change`,
        schema: fieldsSchema,
        documentedSchema: lazy(() => toPartialSchema(recordSchemas[kind]())),
        example: texts.change.example,
      },
      response: {
        description: `The ${noun} after the change.`,
        body: { schema: stateSchema, example: { ...example, ...texts.change.example } },
      },
      errors: [notFound],
      run: ({ world, params, body: fields }) =>
        toState(collectionOf(world).change(idIn(params), fields as RecordInput<Kind>)), // as above
    }),
    [`remove${one}`]: defineControl({
      method: 'DELETE',
      path,
      ...texts.remove,
      errorMessages: { invalid_parameter: invalidId },
      response: { description: `The removed ${noun}.`, body },
      errors: [notFound],
      run: ({ world, params }) => toState(collectionOf(world).remove(idIn(params))),
    }),
  }
  // Computed names lose their types.
  return { title: many, description, operations: operations as unknown as RecordOperations<Kind> }
}

function capitalize(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** An int64 in a control response: exact at any size. */
export const int64StateSchema = lazy(() =>
  annotate(
    z.union([z.int(), z.string()]),
    'An int64: an integer, or beyond 2^53-1 its decimal digits as a string.',
  ),
)

/** Returns the documented schema of a partial record: the same fields, all optional, no defaults. */
export function toPartialSchema({
  shape,
}: {
  readonly shape: Readonly<Record<string, z.ZodMiniType>>
}): z.ZodMiniType {
  const fields = Object.entries(shape).map(([name, schema]) => [name, toOptional(schema)])
  return z.looseObject(Object.fromEntries(fields))
}

function toOptional(schema: z.ZodMiniType): z.ZodMiniType {
  const { description } = z.globalRegistry.get(schema) ?? {}
  const optional = z.optional(schema instanceof z.ZodMiniDefault ? schema.def.innerType : schema)
  return description === undefined ? optional : annotate(optional, description)
}
