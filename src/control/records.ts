import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import type { ErrorCode } from '../service/errors.js'
import {
  type JsonRecord,
  recordKinds,
  toJsonRecord,
  type WritableKind,
} from '../service/records.js'
import { type RecordInput, recordModels } from '../service/schemas.js'
import { type Collection, fieldsSchema } from '../world/database/collection.js'
import {
  type ControlOperation,
  type ControlResource,
  capitalize,
  defineControl,
} from './operation.js'
import { defineList, type PageQuery } from './page.js'
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

type Fields = z.output<typeof fieldsSchema>

/** Name of a kind in operation ids, and of its records: `Pets` and `Pet`. */
type Many<Kind extends WritableKind> = Capitalize<Kind>
type One<Kind extends WritableKind> = Capitalize<(typeof recordKinds)[Kind]['noun']>

/** The operations of a resource, such as `listPets`, `addPet`, `changePet` and `removePet`. */
type RecordOperations<Kind extends WritableKind> = {
  readonly [Id in `list${Many<Kind>}`]: ControlOperation<PageQuery, undefined, JsonRecord<Kind>[]>
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
  definition: RecordsDefinition<Kind>,
): ControlResource<RecordOperations<Kind>> {
  const [many, one] = [capitalize(kind), capitalize(recordKinds[kind].noun)]
  const operations = {
    [`list${many}`]: defineListing(kind, definition),
    [`add${one}`]: defineAdd(kind, definition),
    [`change${one}`]: defineChange(kind, definition),
    [`remove${one}`]: defineRemoval(kind, definition),
  }
  // Computed names lose their types.
  const typed = operations as unknown as RecordOperations<Kind>
  return { title: many, description: definition.description, operations: typed }
}

function defineListing<Kind extends WritableKind>(
  kind: Kind,
  { list, stateSchema, columns }: RecordsDefinition<Kind>,
) {
  const { id, noun } = recordKinds[kind]
  return defineList({
    idField: id,
    path: `/${kind}`,
    columns,
    ...list,
    response: {
      description: `One entry per ${noun}.`,
      body: { schema: z.array(stateSchema) },
    },
    records: ({ world }) => {
      const records = collectionOf(world, kind).list()
      return records.map((record) => toJsonRecord(kind, record))
    },
  })
}

function defineAdd<Kind extends WritableKind>(
  kind: Kind,
  { add, stateSchema, columns }: RecordsDefinition<Kind>,
) {
  const { noun } = recordKinds[kind]
  const { example, ...texts } = add
  return defineControl({
    method: 'POST',
    path: `/${kind}`,
    columns,
    ...texts,
    request: {
      name: `New${capitalize(noun)}`,
      schema: fieldsSchema,
      documentedSchema: recordModels[kind].schema,
      example,
    },
    response: {
      status: 201,
      description: `The new ${noun}.`,
      body: { name: capitalize(noun), schema: stateSchema },
    },
    errors: ['missing_field', 'resource_conflict', 'sandbox_capacity'],
    run: ({ world, body }) =>
      toJsonRecord(kind, collectionOf(world, kind).add(body as RecordInput<Kind>)), // it validates it
  })
}

function defineChange<Kind extends WritableKind>(
  kind: Kind,
  { change, stateSchema, columns, identifies }: RecordsDefinition<Kind>,
) {
  const { noun } = recordKinds[kind]
  const { example, errorMessages, ...texts } = change
  const common = describeOne(kind, identifies)
  return defineControl({
    method: 'PATCH',
    columns,
    ...texts,
    ...common,
    request: {
      name: `${capitalize(noun)}Change`,
      schema: fieldsSchema,
      documentedSchema: toPartialSchema(recordModels[kind].schema),
      example,
    },
    response: {
      description: `The ${noun} after the change.`,
      body: { schema: stateSchema },
    },
    errorMessages: { ...common.errorMessages, ...errorMessages },
    run: ({ world, params, body }) => {
      const fields = body as RecordInput<Kind> // the collection validates it
      return toJsonRecord(kind, collectionOf(world, kind).change(idIn(params), fields))
    },
  })
}

function defineRemoval<Kind extends WritableKind>(
  kind: Kind,
  { remove, stateSchema, columns, identifies }: RecordsDefinition<Kind>,
) {
  return defineControl({
    method: 'DELETE',
    columns,
    ...remove,
    ...describeOne(kind, identifies),
    response: {
      description: `The removed ${recordKinds[kind].noun}.`,
      body: { schema: stateSchema },
    },
    run: ({ world, params }) => toJsonRecord(kind, collectionOf(world, kind).remove(idIn(params))),
  })
}

/** Returns what the operations on one record have in common. */
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

/** Returns the only path parameter. */
function idIn(params: Readonly<Record<string, string>>): string {
  return Object.values(params)[0] ?? ''
}

/** An int64 in a control response: exact at any size. */
export const int64StateSchema = annotate(
  z.union([z.int(), z.string()]),
  'An int64: an integer, or beyond 2^53-1 its decimal digits as a string.',
)

/** Returns the documented schema of a partial record: the same fields, all optional, no defaults. */
function toPartialSchema({
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
