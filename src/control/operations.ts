import type { ControlOperation, ControlResource } from './operation.js'
import * as table from './table.js'

type Resources = typeof table
type Union = Resources[keyof Resources]['operations']
type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (
  value: infer I,
) => void
  ? I
  : never

/** Every control operation by its id, with its exact types. */
export type ControlOperations = Intersection<Union>

/** Id of a control operation, such as `changeClock`. */
export type ControlOperationId = keyof ControlOperations

/** Names of the query parameters of a control operation. */
export type ControlQuery<Id extends ControlOperationId> =
  ControlOperations[Id] extends ControlOperation<infer Query, infer _Body, infer _Result>
    ? Extract<keyof NonNullable<Query>, string>
    : never

/** The request body of a control operation. */
export type ControlBody<Id extends ControlOperationId> =
  ControlOperations[Id] extends ControlOperation<infer _Query, infer Body, infer _Result>
    ? Body
    : never

/** The body of a successful response of a control operation. */
export type ControlResult<Id extends ControlOperationId> =
  ControlOperations[Id] extends ControlOperation<infer _Query, infer _Body, infer Result>
    ? Result
    : never

/** The resources of the control API, in the order of their paths. */
export const controlResources: readonly ControlResource[] = Object.values(
  table as Readonly<Record<string, ControlResource>>, // every export of the table is a resource
).sort((a, b) => (firstPath(a) < firstPath(b) ? -1 : 1))

/** Every control operation by its id. */
export const controlOperations = Object.assign(
  {},
  ...controlResources.map(({ operations }) => operations),
) as ControlOperations // derived from the same table as the type

export const controlOperationIds = Object.keys(controlOperations) as ControlOperationId[] // the keys of the object above

/** The paths of the control API that have no parameters, by name: `{ clock: '/clock' }`. */
export const controlLinks: Readonly<Record<string, string>> = Object.fromEntries(
  controlOperationIds
    .map((id): string => controlOperations[id].path)
    .filter((path) => path !== '' && !path.includes('{'))
    .map((path) => [path.slice(1), path]),
)

function firstPath({ operations }: ControlResource): string {
  return Object.values(operations)[0]?.path ?? ''
}
