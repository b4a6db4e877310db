import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import { operationIds, operations } from '../../service/operations/operations.js'
import { toCount } from '../../service/validation/message.js'
import { type FaultKind, toPercent } from './kind.js'
import { describeMatch, matchSchema } from './match.js'
import * as table from './table.js'

type Kinds = typeof table
type FaultType = keyof Kinds

export const maximumFaults = 100
const maximumSteps = 100

const count = z.optional(z.int().check(z.minimum(0)))

/** Fields of every fault, which state when it applies. */
const scopeFields = {
  operation: annotate(z.optional(z.enum(operationIds)), {
    title: 'Operation',
    description: 'Operation that the fault applies to. Default: every operation.',
  }),
  match: annotate(z.optional(matchSchema), {
    title: 'Match',
    description:
      'Requests that the fault applies to: {"petId":7,"body":{"quantity":5},"headers":{"x-a":"1"}}. Default: every request.',
  }),
  skip: annotate(count, {
    title: 'Skip',
    description: 'Number of matching requests to skip first. Default: 0.',
  }),
  triggered: annotate(count, {
    title: 'Triggered',
    description: 'Number of requests that have used the fault so far. Default: 0.',
  }),
}

/** Further fields of every fault that is not a sequence. */
const useFields = {
  rate: annotate(z.optional(z.number().check(z.gt(0), z.maximum(1))), {
    title: 'Rate',
    description:
      'Fraction of the requests, above 0 and at most 1, drawn from the seed. Default: all.',
  }),
  atMost: annotate(z.optional(z.int().check(z.minimum(1))), {
    title: 'At most',
    description: 'Maximum number of uses. Default: unlimited.',
  }),
}

type Scope = typeof scopeFields
type CommonShape = Scope & typeof useFields
type ShapeOf<Type extends FaultType> = Kinds[Type] extends FaultKind<infer Shape> ? Shape : never
type FieldsOf<Type extends FaultType> = z.ZodMiniObject<ShapeOf<Type> & CommonShape>
type EffectFieldsOf<Type extends FaultType> = z.ZodMiniObject<ShapeOf<Type>>

/** The effect of a fault on one request: a kind with its fields. */
export type Effect = {
  [Type in FaultType]: { readonly type: Type } & z.output<EffectFieldsOf<Type>>
}[FaultType]

/** An effect before its defaults are filled in. A required field determines the type. */
type EffectInput = {
  [Type in FaultType]: (object extends z.input<EffectFieldsOf<Type>>
    ? { readonly type: Type }
    : { readonly type?: Type | undefined }) &
    z.input<EffectFieldsOf<Type>>
}[FaultType]

/** A fault of one kind. */
type KindFault = {
  [Type in FaultType]: { readonly type: Type } & z.output<FieldsOf<Type>>
}[FaultType]

/** A fault with a separate effect, or none, for each request. It is removed after the last step. */
type SequenceFault = {
  readonly type?: 'sequence' | undefined
  readonly sequence: readonly ('pass' | Effect)[]
} & z.output<z.ZodMiniObject<Scope>>

/** A fault: its effect, and the requests that it applies to. */
export type Fault = KindFault | SequenceFault

/** A fault before its defaults are filled in. */
export type FaultInput =
  | {
      [Type in FaultType]: { readonly type: Type } & z.input<FieldsOf<Type>>
    }[FaultType]
  | ({
      readonly type?: 'sequence' | undefined
      readonly sequence: readonly ('pass' | EffectInput)[]
    } & z.input<z.ZodMiniObject<Scope>>)

/** The kinds of faults by their type. */
export const faultKinds: Readonly<Record<FaultType, FaultKind>> = table

const kinds = Object.entries<FaultKind>(table)

const typeChoice = `a type: ${kinds.map(([type]) => `"${type}"`).join(' or ')}`

/** A step of a sequence: with a type, or without one if a required field determines the kind. */
const stepSchema = z.union([
  z.literal('pass'),
  z.discriminatedUnion(
    'type',
    kinds.map(([type, kind]) => toStep(z.literal(type), kind)) as [ReturnType<typeof toStep>], // at least one kind
  ),
  ...kinds
    .filter(([, { fields }]) => !z.object(fields).safeParse({}).success)
    .map(([type, kind]) => toStep(z._default(z.literal(type), type), kind)),
])

type TypeSchema = z.ZodMiniLiteral<string>

function toStep(type: TypeSchema | z.ZodMiniDefault<TypeSchema>, kind: FaultKind) {
  const { description, fields } = kind
  return z.strictObject({ type: annotate(type, description), ...fields }).check(rejectConflict)
}

const sequenceExample = [{ status: 503 }, 'pass', { delayMs: 200 }]

const sequenceSchema = annotate(
  z
    .array(stepSchema, {
      error: ({ input }) =>
        input === undefined ? `an array of steps, or ${typeChoice}` : undefined,
    })
    .check(z.minLength(1), z.maxLength(maximumSteps)),
  {
    title: 'Steps',
    description:
      'One step per request: "pass", or the fields of a fault: [{"status":503},"pass",{"delayMs":200},{"type":"reset"}].',
    examples: [sequenceExample],
  },
)

/** Documents the sequence like a kind of fault. */
export const sequenceKind = {
  title: 'Sequence',
  description: 'Has another effect on each matching request, in order, and is then removed.',
  fields: { sequence: sequenceSchema },
  example: { sequence: sequenceExample },
} as const

const faultVariants = [...kinds.map(toVariant), toSequenceVariant()]

/** A fault in a scenario. */
export const faultSchema = z.discriminatedUnion(
  'type',
  faultVariants as [ReturnType<typeof toVariant>],
) as unknown as z.ZodMiniType<Fault, FaultInput> // the variants are derived from the same table

/** All faults of a world. */
export const faultsSchema = z.array(faultSchema).check(z.maxLength(maximumFaults))

function toVariant([type, { title, description, fields }]: [string, FaultKind]) {
  const literal = annotate(z.literal(type), description)
  return annotate(
    z
      .strictObject({ type: literal, ...fields, ...scopeFields, ...useFields })
      .check(checkMatch, rejectConflict),
    { title, description },
  )
}

function toSequenceVariant() {
  const { title, description, fields } = sequenceKind
  const type = annotate(z.optional(z.literal('sequence')), description)
  const shape = { type, ...fields, ...scopeFields }
  // A fault without a type is a sequence. Usually, the author has forgotten the type of another kind.
  const error = ({ code, keys }: { code: string; keys?: readonly string[] }) =>
    code === 'unrecognized_keys' ? suggestType(keys) : undefined
  return annotate(z.strictObject(shape, { error }).check(checkMatch), { title, description })
}

/** Returns the type that a fault with these fields needs. Undefined if it is ambiguous. */
function suggestType(fields: readonly string[] = []): string | undefined {
  const types = kinds.filter(([, kind]) =>
    fields.some((field) => field !== 'phase' && Object.hasOwn(kind.fields, field)),
  )
  const [type] = types[0] ?? []
  return types.length === 1 ? `a type with it: add type: '${type}'` : undefined
}

/** Rejects a match that no request of the operation can have. */
function checkMatch({
  value,
  issues,
}: z.core.ParsePayload<z.output<z.ZodMiniObject<Scope>>>): void {
  const { operation, match } = value
  if (operation === undefined || match === undefined) return
  const { path, bodySchema } = operations[operation]
  const reject = (field: 'petId' | 'body', message: string) =>
    issues.push({ code: 'custom', path: ['match', field], input: match[field], message })
  if (match.petId !== undefined && !path.includes('{petId}')) {
    reject('petId', `absent, because ${operation} has no petId`)
  }
  if (match.body !== undefined && !bodySchema) {
    reject('body', `absent, because ${operation} has no body`)
  }
}

/** Rejects a field that has no effect because of another field. */
function rejectConflict({ value, issues }: z.core.ParsePayload<{ type: string }>): void {
  const effect = value as Effect // every field is valid
  const field = toKind(effect).findConflict?.(effect)
  if (field === undefined) return
  const input: unknown = Reflect.get(effect, field)
  issues.push({ code: 'custom', path: [field], input, message: 'absent, because of the body' })
}

/** Returns the kind of an effect. */
export function toKind({ type }: Effect): FaultKind {
  return faultKinds[type]
}

/** Describes an effect of a fault, or of a step: `responds with 503`. */
export function describeEffect(effect: Effect | 'pass', delayMs?: number): string {
  return effect === 'pass' ? 'lets the request pass' : toKind(effect).summarize(effect, delayMs)
}

/** Describes a fault: `getPet responds with 503, for 20 % of requests, 3 uses left`. */
export function describeFault(fault: Fault): string {
  const { operation = 'every operation', match, skip = 0, triggered = 0 } = fault
  const effects = 'sequence' in fault ? fault.sequence : [fault]
  const summary = effects.map((effect) => describeEffect(effect)).join(', then ')
  const parts = [`${operation} ${summary}`]
  if (match) parts.push(describeMatch(match))
  if (skip > 0) parts.push(`after ${toCount(skip, 'more requests')}`)
  if (!('sequence' in fault)) {
    const { rate = 1, atMost } = fault
    if (rate < 1) parts.push(`for ${toPercent(rate)} of requests`)
    if (atMost !== undefined) parts.push(`${toCount(atMost, 'uses')} left`)
  }
  if (triggered > 0) parts.push(`triggered ${toCount(triggered, 'times')}`)
  return parts.join(', ')
}
