import type { ControlResource } from './operation.js'
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
export type ControlQuery<Id extends ControlOperationId> = Extract<
  keyof NonNullable<RequestOf<Id>['query']>,
  string
>

/** The request body of a control operation. */
export type ControlBody<Id extends ControlOperationId> = RequestOf<Id>['body']

/** The body of a successful response of a control operation. */
export type ControlResult<Id extends ControlOperationId> = Awaited<
  ReturnType<ControlOperations[Id]['run']>
>

type RequestOf<Id extends ControlOperationId> = Parameters<ControlOperations[Id]['run']>[0]

// Every export of the table is a resource.
const { overview, ...others }: Readonly<Record<string, ControlResource>> = table

/** The resources of the control API: the overview, and the others in the order of their names. */
export const controlResources: readonly ControlResource[] = [overview, ...Object.values(others)]

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
